/**
 * Answers that last. The id of an object is a digest of all that it is made of, and a commit's of its whole history:
 * what has once been found out about an id stays true, in every repository, so an answer kept here is never out of date.
 */
export class ImmutableCache<Answer> {
  readonly #most: number
  readonly #isKept: (answer: Answer) => boolean
  /** In the order of use: the first is the one not asked for the longest. */
  readonly #answers = new Map<string, Promise<Answer>>()

  /**
   * @param most answers kept at a time
   * @param isKept whether an answer is small enough: one that is not is that of those alone who ask at the same time
   */
  constructor(most: number, isKept: (answer: Answer) => boolean = () => true) {
    this.#most = most
    this.#isKept = isKept
  }

  /**
   * The answer to a question, asked once however many want to know it at the same time. The question must name all that
   * the answer depends on, objects by their ids. A failure is everyone's who waits for it, and nobody's after that.
   */
  get(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(question)
    this.#answers.delete(question)
    const answer = known ?? this.#ask(question, ask)
    this.#answers.set(question, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > this.#most) this.#answers.delete(oldest as string)
    return answer
  }

  /** The answer to a question that has been asked, if it is still kept. */
  known(question: string): Promise<Answer> | undefined {
    return this.#answers.get(question)
  }

  #ask(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask()
    const forget = () => {
      if (this.#answers.get(question) === answer) this.#answers.delete(question)
    }
    answer.then(found => {
      if (!this.#isKept(found)) forget()
    }, forget)
    return answer
  }
}
