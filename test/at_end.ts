import { after } from 'node:test'

const undo: (() => Promise<void>)[] = []

/**
 * Undoes something when the tests of the file are over (registered first within a test: when that test is over). The latest comes first, unlike
 * with the runner's own hooks: a database is closed before its server is stopped.
 */
export function atEnd(step: () => Promise<void>): void {
  if (undo.length === 0) {
    after(async () => {
      for (const step of undo.splice(0).reverse()) await step()
    })
  }
  undo.push(step)
}
