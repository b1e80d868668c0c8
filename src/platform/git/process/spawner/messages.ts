/** What the server and its launcher of processes say to one another, over the channel between them. */

/** Start this program, with its standard input and output at the server's socket. */
export interface Launch {
  readonly id: number
  readonly program: string
  readonly arguments: readonly string[]
  /** Working directory. */
  readonly directory: string
  /** The whole of its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Priority of the process and of those it starts: 0, or up to 19 for one that gives way to others. */
  readonly niceness: number
}

/** End it: with a request first, so that it ends what it has started, and by force if it does not. */
export interface Kill {
  readonly kill: number
}

/** It runs. */
export interface Started {
  readonly id: number
  readonly pid: number
}

/** It has ended, or could not be started (`error`). */
export interface Ended {
  readonly id: number
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  /** The end of its standard error. */
  readonly stderr: string
  readonly error?: string
}

/** Which of a process's streams a connection is. */
export type StreamName = 'stdin' | 'stdout'

/** Bytes that a connection begins with: which stream of which process it is. */
export const HEADER_LENGTH = 16

/** The first bytes of a connection. */
export const headerOf = (id: number, name: StreamName): string => `${name.padEnd(8)}${id.toString(16).padStart(8, '0')}`

/** The reverse of `headerOf`. */
export const readHeader = (text: string): { id: number; name: StreamName } => ({
  id: Number.parseInt(text.slice(8), 16),
  name: text.slice(0, 8).trim() as StreamName,
})
