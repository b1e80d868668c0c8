/** Statements that do not depend on each other, sent at once. */

/**
 * The results of several works, as `Promise.all`, but settled when all of them are: where one fails, none of the others may still be on its
 * way, for the transaction that they share ends then and gives its connection to somebody else.
 */
export async function together<const T extends readonly unknown[]>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
