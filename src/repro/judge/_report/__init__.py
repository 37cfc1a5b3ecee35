"""What every report needs: arguments, texts, and files in four formats."""

__all__: list[str] = []
