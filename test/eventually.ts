import { setTimeout as delay } from 'node:timers/promises'

/** How long a busy machine may take, in milliseconds; nothing is this slow that works. */
export const patience = 90_000

/**
 * Looks again and again until there is something, and answers with it; `undefined` and `false` are nothing.
 *
 * @param what what is waited for, as the error says it when there is nothing after that time
 */
export async function eventually<T>(look: () => Promise<T | undefined | false> | T | undefined | false, what: string): Promise<T> {
  const end = performance.now() + patience
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`)
    await delay(5)
  }
}
