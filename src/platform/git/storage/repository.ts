import type { ObjectReaders } from '../objects/object.ts'

/** One bare repository on disk, as every function of this folder takes it. Made by a `RepositoryStorage`. */
export interface Repository {
  /** Absolute path of the git directory. */
  readonly path: string
  /** Where the `git` program and what it starts are looked for, in the form of `PATH`. */
  readonly searchPath: string
  /** The long-lived object readers of the storage. */
  readonly readers: ObjectReaders
}

/** What is needed to start git on a repository; a half-made one has no readers yet. */
export type GitPlace = Pick<Repository, 'path' | 'searchPath'>
