/** What the server and its work process say to each other (work_process.ts, program.ts). */

/** A piece of work for a thread, which starts with its first piece. A thread is given one piece at a time. */
export interface Piece {
  /** Its number, which the answer has too. */
  readonly piece: number
  /** The number of the thread. */
  readonly thread: number
  /** Heap limit of the thread, in megabytes. */
  readonly memory: number
  /** Milliseconds that the thread is kept without a piece. */
  readonly idle: number
  /** Address of the module whose default export is called. */
  readonly file: string
  readonly asked: unknown
  /** Milliseconds for the piece; loading the module does not count. */
  readonly time: number
}

/** Ends a thread. */
export interface End {
  readonly end: number
}

/** What became of a piece: `tooLarge` where it took more time or memory than it may. */
export type Outcome = { readonly answer: unknown } | { readonly tooLarge: true } | { readonly error: Failure }

/** An error; as an object it would lose its name. */
export type Failure = Pick<Error, 'name' | 'message' | 'stack'>

export type Answered = { readonly piece: number } & Outcome

/** What a thread says: that the module is loaded, or what it returned. */
export type FromThread = 'loaded' | { readonly answer: unknown }
