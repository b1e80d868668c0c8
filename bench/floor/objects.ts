/** The least that reading git objects takes: one long-lived `git cat-file --batch` and a pipe. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { environment } from '../environment.ts'

/**
 * Starts a reader that asks for the same objects at each call. The answers are counted, not parsed: they are as long
 * each time as they were the first time.
 */
export async function startReader(repository: string, names: readonly string[]): Promise<() => Promise<void>> {
  const question = `${names.join('\n')}\n`
  const length = await lengthOfAnswer(repository, question)
  const git = spawn('git', ['-C', repository, 'cat-file', '--batch'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: (() => void)[] = []
  let received = 0
  git.stdout.on('data', (chunk: Buffer) => {
    for (received += chunk.length; received >= length; received -= length) waiting.shift()?.()
  })
  return () =>
    new Promise(resolve => {
      waiting.push(resolve)
      git.stdin.write(question)
    })
}

async function lengthOfAnswer(repository: string, question: string): Promise<number> {
  const git = spawn('git', ['-C', repository, 'cat-file', '--batch'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  let length = 0
  git.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
  })
  git.stdin.end(question)
  await once(git, 'close')
  return length
}
