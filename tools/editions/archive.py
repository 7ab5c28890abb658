"""The built site as one zip, which works from the folder that it is unpacked to."""

import zipfile

from release import still


def write(site, target):
    """Pack the site: the same pages always give the same zip."""
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(site.rglob("*")):
            if path.is_file() and path.name != ".buildinfo":
                name = f"{target.stem}/{path.relative_to(site).as_posix()}"
                archive.writestr(still(name), path.read_bytes())
