"""Java's random numbers, from which MOA draws its models."""

from __future__ import annotations

__all__ = ["JavaRandom"]

FACTOR, INCREMENT, BITS = 0x5DEECE66D, 11, 48


class JavaRandom:
    r"""The generator of `java.util.Random`, with the method names of numpy's generators.

    Its state is a number of 48 bits,

    .. math:: s_0 = \text{seed} \oplus a, \qquad s_{i+1} = (a s_i + 11) \bmod 2^{48}, \qquad
              a = \text{5DEECE66D}_{16},

    of which a draw takes the upper bits. The documentation of Java fixes this for all versions.

    >>> rng = JavaRandom(42)
    >>> [rng.integers(100) for _ in range(5)]
    [30, 63, 48, 84, 70]
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ FACTOR) % 2**BITS

    def next(self, bits: int) -> int:
        """The upper `bits` bits, at most 32, of the next state."""
        self._state = (self._state * FACTOR + INCREMENT) % 2**BITS
        return self._state >> (BITS - bits)

    def random(self) -> float:
        """A number in [0, 1), of 53 bits: Java's `nextDouble`."""
        return ((self.next(26) << 27) + self.next(27)) / 2**53

    def integers(self, n: int) -> int:
        """A number of 0..n-1, for `n` below 2^31: Java's `nextInt`."""
        if n & (n - 1) == 0:
            return n * self.next(31) >> 31
        drawn = self.next(31)
        while drawn - drawn % n + n > 2**31:  # the last numbers would favour small remainders
            drawn = self.next(31)
        return drawn % n
