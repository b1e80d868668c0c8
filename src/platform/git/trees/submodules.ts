/** Submodules: where their repositories are, by `.gitmodules`. */
import { objectInfo } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit, splitNul } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { entryAt } from './trees.ts'

/** Bytes of the settings that are read. */
const MOST_READ = 1024 * 1024

/** Git ends with these where there is no such setting, and where the file is none of settings. */
const NONE = [1, 3, 128]

const answers = new ImmutableCache<ReadonlyMap<string, string>>(500)

/** The addresses of the submodules of a commit by their paths, as `.gitmodules` has them. One process, none where it was asked before. */
export async function submoduleUrls(repository: Repository, commit: ObjectId): Promise<ReadonlyMap<string, string>> {
  const file = await entryAt(repository, commit, '.gitmodules')
  if (file?.type !== 'blob') return new Map()
  const [info] = await objectInfo(repository, [file.id])
  if (!info || info.size > MOST_READ) return new Map()
  return answers.get(file.id, async () => {
    const { stdout } = await runGit(repository, {
      subcommand: 'config',
      flags: ['--null', '--blob', objectId(file.id), '--get-regexp', '^submodule\\..*\\.(path|url)$'],
      answers: NONE,
    })
    const modules = new Map<string, { path?: string; url?: string }>()
    for (const item of splitNul(stdout)) {
      const [, name = '', key, value] = /^submodule\.(.*)\.(path|url)\n(.*)$/s.exec(item) ?? []
      if (key !== undefined) modules.set(name, { ...modules.get(name), [key]: value })
    }
    return new Map(
      [...modules.values()].flatMap(({ path, url }) => (path === undefined || url === undefined ? [] : [[path, url] as const])),
    )
  })
}
