/**
 * Questions that are asked again with each key that is typed: only the answer to the latest one counts. One that was overtaken is not awaited any longer,
 * also where its answer has begun to come.
 */
export class LatestAnswer {
  #asking: AbortController | undefined

  /** From now on the answer to what was asked does not count. */
  drop(): void {
    this.#asking?.abort()
    this.#asking = undefined
  }

  /**
   * Asks for a page, or a part of one.
   * @returns its text; undefined if it was overtaken or refused, leads to another page, or cannot be had
   */
  async ask(address: string | URL): Promise<string | undefined> {
    this.drop()
    const asking = new AbortController()
    this.#asking = asking
    try {
      const response = await fetch(address, { headers: { accept: 'text/html', 'x-part': '1' }, signal: asking.signal })
      if (!response.ok || response.redirected) return undefined
      const text = await response.text()
      return asking.signal.aborted ? undefined : text
    } catch (error) {
      // What `fetch` throws without a connection; anything else is a mistake of ours.
      if (asking.signal.aborted || error instanceof TypeError) return undefined
      throw error
    }
  }
}
