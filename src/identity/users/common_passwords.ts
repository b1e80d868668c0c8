/** The commonest passwords that leaked from elsewhere: what attackers try first. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

let list: Promise<string> | undefined

/** Is this password, in lower case and of eight characters or more, one of the commonest? */
export async function isListed(password: string): Promise<boolean> {
  list ??= readList()
  return !password.includes('\n') && (await list).includes(`\n${password}\n`)
}

/** Read on first use, since it is needed only when a password is set: one text with a password a line. */
async function readList(): Promise<string> {
  try {
    const thread = new Worker(new URL('./common_passwords_thread.ts', import.meta.url))
    const [text] = (await once(thread, 'message')) as [string]
    return text
  } catch (error) {
    // The next password set tries again: without the list none is accepted.
    list = undefined
    throw error
  }
}
