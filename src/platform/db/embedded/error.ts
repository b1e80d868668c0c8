/** The embedded database cannot run. The message is one line for the person who started Ingot: what is wrong and what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
}
