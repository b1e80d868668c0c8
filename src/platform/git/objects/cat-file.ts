/**
 * One long-lived `git cat-file --batch-command` and the conversation with it.
 *
 * Requests are pipelined: each call writes its commands and a `flush`, and the answers come back in order. With `-z`
 * a name may hold anything but NUL, so names can be followed by `:path`. An answer that says "missing" repeats the name
 * as sent, which is therefore compared as bytes and never parsed.
 */

import { CorruptObject, GitError, TooLarge } from '../errors.ts'
import { type GitExit, type GitProcess, startGit } from '../process/run.ts'
import type { GitPlace } from '../storage/repository.ts'
import type { CatFileAnswer, CatFileQuestion, ObjectType } from './object.ts'
import type { ObjectId } from './oid.ts'

interface Pending {
  readonly questions: readonly CatFileQuestion[]
  readonly answers: CatFileAnswer[]
  /** The first object that is larger than what is read. */
  tooLarge?: TooLarge
  readonly resolve: (answers: CatFileAnswer[]) => void
  readonly reject: (error: Error) => void
}

/** The reader died while it was answering `question`; the same question may work with a fresh one. */
export class ReaderDied extends GitError {
  readonly question: CatFileQuestion

  constructor(question: CatFileQuestion, detail: string) {
    super('failed', 'The object reader ended early', detail)
    this.question = question
  }

  /** What it means when a fresh reader dies of the same question as well. */
  asCorrupt(): CorruptObject {
    return new CorruptObject(this.question.name, this.detail)
  }
}

/**
 * Bytes of an object that are read into memory. A directory or a message may have any size, and is small on its
 * way here where it repeats itself.
 */
const mostRead: Readonly<Record<ObjectType, number>> = {
  commit: 4 * 1024 * 1024,
  tag: 4 * 1024 * 1024,
  tree: 16 * 1024 * 1024,
  blob: 16 * 1024 * 1024,
}

const noData = Buffer.alloc(0)
const newline = 0x0a
// A reader lives until it is idle for long or git fails: the pool ends it, not the clock of one command.
const lifetimeMs = 2 ** 31 - 1

export class CatFile {
  readonly ended: Promise<void>
  /** Undefined until it has started. */
  #git: GitProcess | undefined
  /** What it is to read once it has started. */
  #unsent = ''
  #queue: Pending[] = []
  #chunks: Buffer[] = []
  #bytes = 0
  /** Bytes needed before parsing can go on: a big blob is then joined once and not per chunk. */
  #needed = 1
  /** Bytes that are passed over: those of an object that is too large. */
  #unread = 0
  #closed = false

  constructor(place: GitPlace) {
    this.ended = this.#run(place).then(
      ({ stderr }) => this.#fail(stderr),
      (error: GitError) => this.#fail(error.detail ?? '', error),
    )
  }

  /** Requests under way. */
  get busy(): number {
    return this.#queue.length
  }

  get closed(): boolean {
    return this.#closed
  }

  /** The process id, for tests that kill it. */
  get pid(): number | undefined {
    return this.#git?.pid
  }

  /** Asks everything in one go. Rejects with `ReaderDied`, `not_found` when the repository is gone, or `too_large` (`mostRead`). */
  ask(questions: readonly CatFileQuestion[]): Promise<CatFileAnswer[]> {
    if (questions.length === 0) return Promise.resolve([])
    if (this.#closed) return Promise.reject(new ReaderDied(questions[0]!, 'closed'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ questions, answers: [], resolve, reject })
      const asked = `${questions.map(({ want, name }) => `${want} ${name}\0`).join('')}flush\0`
      if (this.#git) this.#git.stdin.write(asked)
      else this.#unsent += asked
    })
  }

  /** Ends the process once it has answered what was asked. */
  close(): void {
    this.#closed = true
    this.#git?.stdin.end()
  }

  async #run(place: GitPlace): Promise<GitExit> {
    const git = await startGit(place, { subcommand: 'cat-file', flags: ['--batch-command', '--buffer', '-z'], timeoutMs: lifetimeMs })
    git.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#git = git
    git.stdin.write(this.#unsent)
    this.#unsent = ''
    if (this.#closed) git.stdin.end()
    return git.done
  }

  #fail(detail: string, error?: GitError) {
    this.#closed = true
    const queue = this.#queue
    this.#queue = []
    for (const { questions, answers, reject } of queue) {
      reject(error?.kind === 'not_found' ? error : new ReaderDied(questions[answers.length] ?? questions[0]!, detail))
    }
  }

  #receive(received: Buffer) {
    const chunk = this.#withoutUnread(received)
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#needed) return
    let buffer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    this.#needed = 1
    while (buffer.length >= this.#needed) {
      const used = this.#parse(buffer)
      if (used === 0) break
      buffer = this.#withoutUnread(buffer.subarray(used))
    }
    this.#chunks = buffer.length === 0 ? [] : [buffer]
    this.#bytes = buffer.length
  }

  #withoutUnread(buffer: Buffer): Buffer {
    const passed = Math.min(this.#unread, buffer.length)
    this.#unread -= passed
    return buffer.subarray(passed)
  }

  /** Takes one answer from the buffer. Returns the bytes used; 0 when it is not complete yet. */
  #parse(buffer: Buffer): number {
    const pending = this.#queue[0]
    if (pending === undefined) {
      this.#git?.kill()
      return 0
    }
    const { want, name } = pending.questions[pending.answers.length]!
    const absent = absenceIn(buffer, name)
    if (absent > 0) {
      this.#answer(pending, undefined)
      return absent
    }
    const end = buffer.indexOf(newline)
    if (absent < 0 || end < 0) {
      this.#needed = buffer.length + 1
      return 0
    }
    const [id, type, size] = buffer.toString('latin1', 0, end).split(' ') as [ObjectId, ObjectType, string]
    const length = Number(size)
    if (want === 'info') {
      this.#answer(pending, { id, type, size: length, data: noData })
      return end + 1
    }
    if (length > mostRead[type]) {
      this.#unread = length + 1
      pending.tooLarge ??= new TooLarge(`The ${type} ${id}`, mostRead[type])
      this.#answer(pending, undefined)
      return end + 1
    }
    const total = end + 1 + length + 1
    if (buffer.length < total) {
      this.#needed = total
      return 0
    }
    // Copied: the buffer belongs to whatever else arrived with it.
    this.#answer(pending, { id, type, size: length, data: Buffer.from(buffer.subarray(end + 1, end + 1 + length)) })
    return total
  }

  #answer(pending: Pending, answer: CatFileAnswer) {
    pending.answers.push(answer)
    if (pending.answers.length < pending.questions.length) return
    this.#queue.shift()
    if (pending.tooLarge) pending.reject(pending.tooLarge)
    else pending.resolve(pending.answers)
  }
}

/**
 * Whether the buffer begins with the answer that there is no object of this name: the length of that answer, 0 if it is
 * another answer, -1 if too little has arrived to tell.
 */
function absenceIn(buffer: Buffer, name: string): number {
  for (const word of ['missing', 'ambiguous']) {
    const line = Buffer.from(`${name} ${word}\n`)
    if (buffer.length >= line.length) {
      if (buffer.compare(line, 0, line.length, 0, line.length) === 0) return line.length
    } else if (line.compare(buffer, 0, buffer.length, 0, buffer.length) === 0) {
      return -1
    }
  }
  return 0
}
