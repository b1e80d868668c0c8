/** What is known of an object, and what a reader is asked. */
import type { ObjectId } from './oid.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** What is known of an object without reading it. `size` in bytes. */
export interface ObjectInfo {
  readonly id: ObjectId
  readonly type: ObjectType
  readonly size: number
}

/** An object with its bytes. */
export interface ObjectContents extends ObjectInfo {
  readonly data: Buffer
}

/** One question: the description of an object, or its contents too. The name is composed by our code, never user input alone. */
export interface CatFileQuestion {
  readonly want: 'info' | 'contents'
  readonly name: string
}

/** undefined: there is no such object (or a short id fits several). */
export type CatFileAnswer = ObjectContents | undefined

/** The long-lived readers of a storage: one process per repository in use (cat-file-pool.ts). */
export interface ObjectReaders {
  /** Number of running readers. */
  readonly size: number
  /** The pid of a repository's reader, for tests that kill it. */
  pidOf(path: string): number | undefined
  /** Queries a repository's reader; an answer for each question. */
  ask(place: { readonly path: string; readonly searchPath: string }, questions: readonly CatFileQuestion[]): Promise<CatFileAnswer[]>
  /** Ends the reader of a repository that is about to be removed or replaced. */
  release(path: string): void
}
