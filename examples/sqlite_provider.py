"""A provider over a database: any object with ``list_kits`` serves a catalogue.

Run it to see a catalogue of skills that live in SQLite, with a row added while it is in use.
"""

import sqlite3

import skillbook as sb


class SqliteProvider(sb.Provider):
    """Kits from a table ``skills(kit, name, description, body)``."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def list_kits(self) -> list[sb.Kit]:
        rows = self.database.execute("SELECT kit, name, description, body FROM skills ORDER BY 1, 2")
        kits: dict[str, list[sb.SkillDef]] = {}
        for kit, name, description, body in rows:
            kits.setdefault(kit, []).append(sb.SkillDef(name, body, description))
        return [sb.Kit(kit, skills) for kit, skills in kits.items()]


def example_database() -> sqlite3.Connection:
    """Returns a database in memory with two kits."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE skills (kit TEXT, name TEXT, description TEXT, body TEXT)")
    database.executemany(
        "INSERT INTO skills VALUES (?, ?, ?, ?)",
        [
            ("kiln", "log", "Keeps a log of kiln firings.", "Write down date, cone and glaze.\n"),
            ("kiln", "plan", "Plans a firing.", "Plan the firing of $ARGUMENTS.\n"),
            ("loom", "warp", "Counts warp threads.", "Width times sett, plus the selvedge.\n"),
        ],
    )
    return database


def main() -> None:
    """Shows the catalogue before and after a row is added."""
    database = example_database()
    catalog = sb.Catalog([SqliteProvider(database)])
    print(catalog.source().prompt())
    database.execute(
        "INSERT INTO skills VALUES ('loom', 'mend', 'Mends a broken thread.', 'Tie a new one in.')"
    )
    print()
    print(catalog.skill("loom:mend").description)
    print(catalog.activate("kiln:plan", "twelve bowls"))


if __name__ == "__main__":
    main()
