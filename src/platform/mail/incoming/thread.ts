/** Runs in a thread: reads one mail (read.ts). */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from './message.ts'
import { parseMessage } from './parse.ts'

/** Where a mail lies, and the host of the instance. */
export interface AskedMail {
  readonly file: string
  readonly host: string
}

/** The mail; undefined for one that exceeds the limits of its parser. */
export default async function read({ file, host }: AskedMail): Promise<IncomingMessage | undefined> {
  const bytes = await readFile(file)
  return parseMessage(bytes, host).catch(() => undefined)
}
