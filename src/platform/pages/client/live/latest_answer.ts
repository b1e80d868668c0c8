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
   * @param otherwise what counts as the answer where it is refused, leads to another page, or cannot be had
   * @returns its text; undefined if it was overtaken
   */
  async ask(address: string | URL, otherwise?: string): Promise<string | undefined> {
    this.drop()
    const asking = new AbortController()
    this.#asking = asking
    try {
      const response = await fetch(address, { headers: { accept: 'text/html', 'x-part': '1' }, signal: asking.signal })
      const text = response.ok && !response.redirected ? await response.text() : otherwise
      return asking.signal.aborted ? undefined : text
    } catch (error) {
      if (asking.signal.aborted) return undefined
      // What `fetch` throws without a connection; anything else is a mistake of ours.
      if (error instanceof TypeError) return otherwise
      throw error
    }
  }
}
