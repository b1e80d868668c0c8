/** What Conan calls recipes, packages and their files, and where the files are kept. Pure. */
import type { Static } from 'typebox'
import Type from 'typebox'
import { text } from '../../../../platform/kernel/declaration/types.ts'

/** A user or channel that a recipe does not have. */
export const NONE = '_'

const component = (about: string, example: string) =>
  text(about, { pattern: '^[A-Za-z0-9_][A-Za-z0-9_+.-]{1,127}$', maxLength: 128, examples: [example] })

/** The parts of an address that name a recipe. */
export const recipePath = {
  package_name: component('Name of the package', 'thing'),
  package_version: component('Version of the package', '1.0.0'),
  package_username: text('User of the recipe, in the registry of the instance the path of the project with `+` for `/`; `_` for none', {
    pattern: '^([A-Za-z0-9_][A-Za-z0-9_+.-]{1,254}|_)$',
    maxLength: 255,
    examples: ['team'],
  }),
  package_channel: text('Channel of the recipe; `_` for none', {
    pattern: '^([A-Za-z0-9_][A-Za-z0-9_+.-]{1,127}|_)$',
    maxLength: 128,
    examples: ['stable'],
  }),
}

const RecipePath = Type.Object(recipePath)
export type RecipePath = Static<typeof RecipePath>

/** A recipe by its name. */
export interface Recipe {
  readonly name: string
  readonly version: string
  readonly username: string
  readonly channel: string
}

export const recipeOf = ({ package_name, package_version, package_username, package_channel }: RecipePath): Recipe => ({
  name: package_name,
  version: package_version,
  username: package_username,
  channel: package_channel,
})

/** What the versions of a recipe are found by: two channels have nothing in common. */
export const lookupName = ({ name, username, channel }: Omit<Recipe, 'version'>): string => `${name}@${username}/${channel}`

/** A recipe as Conan writes it: `thing/1.0.0@team/stable`, or `thing/1.0.0`. */
export const written = ({ name, version, username, channel }: Recipe): string =>
  username === NONE ? `${name}/${version}` : `${name}/${version}@${username}/${channel}`

/** The user of the recipes of a project in the registry of the instance. */
export const usernameOf = (projectPath: string): string => projectPath.replaceAll('/', '+')

/** The path that such a user stands for. */
export const projectPathOf = (username: string): string => username.replaceAll('+', '/')

const identifier = (about: string, example: string) => text(about, { pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64, examples: [example] })

/** The revision of what was uploaded without any. */
export const NO_REVISION = '0'

export const recipe_revision = identifier('Revision of the recipe', NO_REVISION)
export const package_revision = identifier('Revision of the package', NO_REVISION)
export const conan_package_reference = identifier('ID of the package', 'da39a3ee5e6b4b0d3255bfef95601890afd80709')

/** Where a file of a recipe is kept. */
export const recipeFolder = (revision: string): string => `${revision}/export`

/** Where the packages of a revision of a recipe are kept, or those of one package. */
export const packagesFolder = (revision: string, reference?: string): string =>
  `${revision}/package/${reference === undefined ? '' : `${reference}/`}`

/** Where a file of a package is kept. */
export const packageFolder = (revision: string, reference: string, packageRevision: string): string =>
  `${packagesFolder(revision, reference)}${packageRevision}`

/** The file that is sent last: what has it is complete. */
export const MANIFEST = 'conanmanifest.txt'

/** The file that says how a package was built. */
export const INFO = 'conaninfo.txt'

const archived = (name: string) => ['tgz', 'txz', 'tzst'].map(ending => `${name}.${ending}`)

/** The files that a recipe and a package have. */
export const recipeFiles: readonly string[] = ['conanfile.py', MANIFEST, ...archived('conan_sources'), ...archived('conan_export')]
export const packageFiles: readonly string[] = [INFO, MANIFEST, ...archived('conan_package')]

/** `2026-01-02T03:04:05.678+0000`, as Conan reads it. */
export const conanTime = (time: Date | string): string => new Date(time).toISOString().replace('Z', '+0000')
