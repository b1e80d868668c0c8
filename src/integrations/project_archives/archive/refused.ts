/** An archive that cannot be imported. The message is shown to the user who imports it. */
export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused'
  /** The part of the archive: `issues`, `repository`, `archive`. */
  readonly relation: string

  constructor(message: string, relation = 'archive', options?: ErrorOptions) {
    super(message, options)
    this.relation = relation
  }
}
