"""A stream in the memory of the JVM, for moa_child.py."""

from __future__ import annotations

import jpype
import numpy as np
from capymoa.stream import Schema

Instances = jpype.JClass("com.yahoo.labs.samoa.instances.Instances")
DenseInstance = jpype.JClass("com.yahoo.labs.samoa.instances.DenseInstance")


class Data:
    """The instances, their arrays, and where their files are."""

    def __init__(self, path: str) -> None:
        arrays = np.load(f"{path}.npz")
        self.X, self.y, nominal = arrays["X"], arrays["y"], arrays["nominal"]
        names = [f"x{j}" for j in range(self.X.shape[1])]
        values = {name: int(v) for name, v in zip(names, nominal, strict=True) if v}
        values["y"] = int(arrays["n_classes"])
        labels = {name: [str(v) for v in range(count)] for name, count in values.items()}
        self.schema = Schema.from_custom(features=[*names, "y"], target="y", categories=labels)
        self.header = self.schema.get_moa_header()
        self.file = f"{path}.arff"
        self.instances = Instances(self.header, 0)
        for row in np.column_stack([self.X, self.y]):
            instance = DenseInstance(1.0, jpype.JArray(jpype.JDouble)(row))
            instance.setDataset(self.header)
            self.instances.add(instance)
