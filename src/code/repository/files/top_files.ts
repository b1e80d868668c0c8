/** README and licence in the root directory of a commit. */
import { listTree, type ObjectId, objectInfo, type Repository, readBlob, type TreeRow } from '../../../platform/git/index.ts'
import { OTHER_LICENSE } from '../../../spaces/licenses/known.ts'
import { licenseOfText } from '../../../spaces/licenses/match.ts'
import type { RepositoryFacts } from '../../../spaces/projects/repository/facts.ts'

/** A README: `README`, with or without the extension of a text format, case-insensitive. */
const README = /^readme(?:\.(?:md|mdown|mkdn?|markdown|rst|adoc|asciidoc|ad|org|rdoc|textile|creole|wiki|mediawiki|pod|txt))?$/i

/** Names of licence files, most likely first. */
const LICENSES = [
  /^licen[sc]e(?:\.(?:md|markdown|txt|rst))?$/i,
  /^(?:copying|unlicen[sc]e)(?:\.(?:md|markdown|txt|rst|lesser))?$/i,
  /^licen[sc]e[-_.].+$/i,
]

/** The longest known licence has 35 KB. */
const LONGEST_LICENSE = 256 * 1024

/** The README among the entries of a directory, preferring Markdown. */
export function readmeAmong(entries: readonly TreeRow[]): TreeRow | undefined {
  const readmes = entries.filter(({ name, type }) => type === 'blob' && README.test(name))
  return readmes.find(({ name }) => /\.(?:md|markdown)$/i.test(name)) ?? readmes[0]
}

/** The README, preferring Markdown, and the licence of a commit; null for none. */
export async function topFilesOf(
  repository: Repository,
  commit: ObjectId,
): Promise<Required<Pick<RepositoryFacts, 'readme_path' | 'license_path' | 'license_key'>>> {
  const tree = await listTree(repository, { commit })
  const files = (tree?.rows ?? []).filter(({ type }) => type === 'blob')
  const readme = readmeAmong(files)
  const license = LICENSES.flatMap(form => files.filter(({ name }) => form.test(name)))[0]
  return {
    readme_path: readme?.name ?? null,
    license_path: license?.name ?? null,
    license_key: license ? await licenseKeyOf(repository, license) : null,
  }
}

/** Cache of licences by the id of their file, which most commits leave unchanged. */
const recognized = new Map<ObjectId, string>()
const MOST_RECOGNIZED = 1_000

async function licenseKeyOf(repository: Repository, { id }: TreeRow): Promise<string> {
  const known = recognized.get(id)
  if (known !== undefined) return known
  const [info] = await objectInfo(repository, [id])
  const key =
    info && info.size <= LONGEST_LICENSE ? licenseOfText((await readBlob(repository, id, LONGEST_LICENSE)).toString('utf8')) : OTHER_LICENSE
  if (recognized.size >= MOST_RECOGNIZED) recognized.clear()
  recognized.set(id, key)
  return key
}
