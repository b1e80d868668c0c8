import { after } from 'node:test'

const undo: (() => Promise<void>)[] = []

/**
 * Undoes something when the tests of the file are over (registered first within a test: when that test is over). The latest comes first, unlike
 * with the runner's own hooks: a database is closed before its server is stopped.
 */
export function atEnd(step: () => Promise<void>): void {
  if (undo.length === 0) {
    after(async () => {
      const failures: unknown[] = []
      // A step that fails must not keep the others from being done: a server that is not stopped keeps the process alive.
      for (const step of undo.splice(0).reverse()) await step().catch(error => failures.push(error))
      if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Not everything could be undone')
    })
  }
  undo.push(step)
}
