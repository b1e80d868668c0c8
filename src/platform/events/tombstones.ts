/** The facts of deleted resources that events carry, because no row holds them any more. Instants as in the API. */

export interface UserTombstone {
  readonly name: string
  readonly email: string
  readonly created_at: string
  readonly updated_at: string
}

export interface ProjectTombstone {
  readonly name: string
  readonly path: string
  readonly full_path: string
  readonly visibility: string
  readonly owner_name: string
  readonly owner_email: string
  readonly created_at: string
  readonly updated_at: string
}

export interface GroupTombstone {
  readonly name: string
  readonly path: string
  /** The ancestor groups, outermost first. */
  readonly above: readonly number[]
  readonly created_at: string
  readonly updated_at: string
}
