/** Why an archive cannot be read or restored; the message is one line that says so. */

/** The archive is not as it was written. */
export class ArchiveDamaged extends Error {
  override name = 'ArchiveDamaged'
  readonly what: string
  /** @param archive its name, where there are several */
  constructor(what: string, options?: ErrorOptions & { readonly archive?: string }) {
    super(`the archive${options?.archive === undefined ? '' : ` ${options.archive}`} is damaged: ${what}`, options)
    this.what = what
  }
}

/** An archive that another one builds on is not there, or is another one. */
export class ChainBroken extends Error {
  override name = 'ChainBroken'
}

/** The archive is encrypted, and not by this passphrase. */
export class ArchiveLocked extends Error {
  override name = 'ArchiveLocked'
}

/** The bytes of one entry are not those of its digest; all of them have been read. */
export class EntryChanged extends ArchiveDamaged {
  constructor(entry: string) {
    super(`${entry} was changed`)
  }
}

/** There is no room for what the archive has. */
export class DiskFull extends Error {
  override name = 'DiskFull'
}

/** Everything is restored, and the schema is still that of the backup. */
export class NotMigrated extends Error {
  override name = 'NotMigrated'
}

/** The database did not say whether it has the rows: what was restored beside it stays, and nothing starts with it. */
export class RowsUnknown extends Error {
  override name = 'RowsUnknown'
}
