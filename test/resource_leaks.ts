/** What tests left behind: processes, servers and connections that keep the test process alive or outlive it. */
import { setTimeout as delay } from 'node:timers/promises'
import { listProcesses } from './processes.ts'

/** Kinds of open resources that must be closed at the end. */
const watched = new Set(['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap'])

/** How long closing may take, in milliseconds: on a busy machine a program needs some seconds to end after its server. */
const patience = 30_000

const open = () => process.getActiveResourcesInfo().filter(kind => watched.has(kind))

/** Kinds that keep a process alive when all its tests are over: a library's timer of half an hour, a pipe that a program holds which outlives its test. */
const lasting = ['Timeout', 'PipeWrap'] as const

/**
 * Notes what is open before the tests of a process. `assertNone` waits until no more than that keeps it alive when they are over. Otherwise that is not
 * seen: the run only takes longer, or does not end. `note` says which file has just ended, so that a failure can tell since when something is open.
 */
export function watchLifetime(): { note(file: string): void; assertNone(): Promise<void> } {
  // Node opens these when they are first asked for, and they are never closed: pipes to what runs the tests.
  void [process.stdin, process.stdout, process.stderr]
  const countOf = (kind: string) => process.getActiveResourcesInfo().filter(open => open === kind).length
  const before = new Map(lasting.map(kind => [kind, countOf(kind)]))
  const left = () => lasting.filter(kind => countOf(kind) > (before.get(kind) ?? 0))
  const noted: { file: string; left: readonly string[] }[] = []
  const since = (kind: string) => noted[noted.findLastIndex(entry => !entry.left.includes(kind)) + 1]?.file ?? 'the end'
  return {
    note(file) {
      noted.push({ file, left: left() })
    },
    async assertNone() {
      const deadline = Date.now() + patience
      while (left().length > 0) {
        if (Date.now() > deadline) {
          setTimeout(() => process.exit(1), patience).unref()
          const kinds = left().map(kind => `${kind} (since ${since(kind)})`)
          throw new Error(`The tests left what keeps the process alive: ${kinds.join(', ')}\n${(await candidates()).join('\n')}`)
        }
        await delay(10)
      }
    },
  }
}

/** Programs that may hold a pipe of this process: those that it has started, and those whose parent has ended. One a line: `pid parent command`. */
async function candidates(): Promise<string[]> {
  const found = (await listProcesses()).filter(({ parent }) => parent === 1 || parent === process.pid)
  return found.map(({ pid, parent, command }) => `${pid} ${parent} ${command.join(' ').slice(0, 200)}`)
}

/** Those who watch in this process, and what was open before the first of them came. */
const watching = { count: 0, before: 0 }

/**
 * Notes what is open now. `assertNone` waits until no more than that is open, and fails when something stays; of several
 * watchers in one process the last one does.
 */
export function watchResources(): { assertNone(): Promise<void> } {
  if (watching.count === 0) watching.before = open().length
  watching.count += 1
  return {
    async assertNone() {
      watching.count -= 1
      if (watching.count > 0) return
      const deadline = Date.now() + patience
      while (open().length > watching.before) {
        if (Date.now() > deadline) {
          // What was left keeps the process alive: the failure must be seen nevertheless.
          setTimeout(() => process.exit(1), patience).unref()
          throw new Error(`The tests left something open: ${open().join(', ')} (${watching.before} of these were open before them)`)
        }
        await delay(10)
      }
    },
  }
}
