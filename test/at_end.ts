import { after } from 'node:test'

/** Registers a step that undoes something. The latest comes first: a database is closed before its server is stopped. */
export type AtEnd = (step: () => Promise<void>) => void

/** Steps to be done when something is over. */
export class Ending {
  readonly #steps: (() => Promise<void>)[] = []

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  readonly add: AtEnd = step => {
    this.#steps.push(step)
  }

  /** Does them all, and forgets them. @throws what failed, when all is done that could be */
  async run(): Promise<void> {
    const failures: unknown[] = []
    // A step that fails must not keep the others from being done: a server that is not stopped keeps the process alive.
    for (const step of this.#steps.splice(0).reverse()) await step().catch(error => failures.push(error))
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Not everything could be undone')
  }
}

const file = new Ending()

/**
 * Undoes something when the tests of the file are over (registered first within a test: when that test is over). Unlike with the runner's own
 * hooks the latest comes first.
 */
export const atEnd: AtEnd = step => {
  if (file.isEmpty) after(() => file.run())
  file.add(step)
}
