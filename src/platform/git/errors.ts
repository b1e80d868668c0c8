/**
 * What can go wrong with a repository, by kind. Callers decide on `kind` and the fields, never on a message:
 * git's own words are kept in `detail` for the log only.
 */

/**
 * - `not_found`: the repository, revision, path or object does not exist;
 * - `invalid`: what was asked for cannot be done with these arguments;
 * - `conflict`: a compare-and-swap was lost, or contents do not merge;
 * - `too_large`: a limit set by the caller or by the subcommand table was passed;
 * - `corrupt`: git cannot read what the repository should hold;
 * - `timeout`: git was stopped after its time;
 * - `aborted`: git was stopped because nobody waits for it any more;
 * - `no_room`: the disk of the repository is full;
 * - `read_only`: the repository cannot be written;
 * - `failed`: anything else (git missing, killed).
 */
export type GitErrorKind =
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'too_large'
  | 'corrupt'
  | 'timeout'
  | 'aborted'
  | 'no_room'
  | 'read_only'
  | 'failed'

/** Base of every error of this folder. `message` is ours; `detail` is for the log and never for a client. */
export class GitError extends Error {
  readonly kind: GitErrorKind
  readonly detail: string | undefined

  constructor(kind: GitErrorKind, message: string, detail?: string) {
    super(message)
    this.name = new.target.name
    this.kind = kind
    this.detail = detail
  }
}

/** The repository's directory is not there (never created, or removed meanwhile). */
export class RepositoryMissing extends GitError {
  constructor() {
    super('not_found', 'The repository does not exist')
  }
}

/** A git process ended badly. `exitCode` is null when a signal ended it. */
export class GitProcessError extends GitError {
  readonly subcommand: string
  readonly exitCode: number | null

  constructor(kind: GitErrorKind, subcommand: string, exitCode: number | null, stderr: string) {
    super(kind, `git ${subcommand} ended with ${exitCode ?? 'a signal'}`, stderr)
    this.subcommand = subcommand
    this.exitCode = exitCode
  }
}

/** Has git been ended because it took more time or memory than there is for one process? */
export const tookTooMuch = (error: unknown): boolean =>
  error instanceof GitProcessError && (error.kind === 'timeout' || error.kind === 'too_large')

/** An object is there by name but cannot be read. */
export class CorruptObject extends GitError {
  readonly object: string

  constructor(object: string, detail?: string) {
    super('corrupt', `Object ${object} cannot be read`, detail)
    this.object = object
  }
}

/** Objects were made of what a user sent, and git does not take them: a forbidden name, or a `.gitmodules` that is not safe to check out. */
export class ObjectsRefused extends GitError {
  constructor(detail?: string) {
    super('invalid', 'The files cannot be stored: git refuses a name or the contents of one of them', detail)
  }
}

/** More bytes than the caller allowed. `limit` in bytes. */
export class TooLarge extends GitError {
  readonly limit: number

  constructor(what: string, limit: number) {
    super('too_large', `${what} is larger than ${limit} bytes`)
    this.limit = limit
  }
}
