"""Zips that are the same whenever and wherever they are packed."""

import zipfile


def zipped(target, files):
    """Pack files, {name: content}, into a zip; return its path.

    Content that begins with ``#!`` can be run where it is unpacked.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            is_program = content[:2] in ("#!", b"#!")
            entry.external_attr, entry.create_system = (0o755 if is_program else 0o644) << 16, 3
            # The first file of an EPUB is to be read without unpacking.
            how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, how)
    return target
