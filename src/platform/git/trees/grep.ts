/** Finding words in the files of a commit. */
import type { ObjectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import type { Repository } from '../storage/repository.ts'

/** The first place in a file that holds what was looked for. */
export interface FoundPlace {
  readonly path: string
  /** The number of the first line of `text`, from 1. */
  readonly line: number
  /** The line that was looked for, with two lines before and after it. */
  readonly text: string
}

/**
 * The first place in each file that holds a text, in any case of letters, in the order of paths; binary files are left out. One
 * process.
 * @throws GitError `too_large` where there are more than 64 MB of such places
 */
export async function filesContaining(repository: Repository, commit: ObjectId, text: string): Promise<FoundPlace[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'grep',
    flags: ['-I', '-n', '-z', '--ignore-case', '--fixed-strings', '--max-count=1', '--context=2', '--full-name', '-e', text],
    values: [commit],
    // Nothing is found.
    answers: [1],
  })
  const places = new Map<string, { path: string; line: number; lines: string[] }>()
  // `<commit>:<path> NUL <number> NUL <line> LF`, and `--` between places.
  for (const entry of stdout.toString('utf8').split('\n')) {
    const [name, number, ...line] = entry.split('\0')
    if (!name || number === undefined) continue
    const path = name.slice(commit.length + 1)
    const place = places.get(path) ?? { path, line: Number(number), lines: [] }
    place.lines.push(line.join('\0'))
    places.set(path, place)
  }
  return [...places.values()].map(({ path, line, lines }) => ({ path, line, text: `${lines.join('\n')}\n` }))
}
