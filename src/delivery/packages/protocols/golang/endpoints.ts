/** A proxy for the modules of Go that are in the repository of a project (Go proxy API at 14.0; Go Modules Reference, "GOPROXY protocol"). */
import { cachedArchive } from '../../../../code/repository/archives/archive.ts'
import { bytes, endpoint, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { findRepository } from '../../../../spaces/projects/repository/store.ts'
import { installingScopes, packageDialect, readingScopes } from '../../dialect.ts'
import { assertCode, inPackages } from '../../scope.ts'
import { decodePath, encodeModule } from './address.ts'
import { archiveOf, goModOf, isBelow, moduleAt, timeOf, versionNamed, versionsOf } from './modules.ts'

const go = packageDialect('go_proxy', { challenges: true, rewrite: encodeModule })

/** `:module_name` becomes a module that the repository may have; 404 where it cannot. */
const inModule = within(inPackages, {
  name: 'inModule',
  path: { module_name: text('Path of the module; slashes may be encoded', { maxLength: 1_000 }) },
  async load({ project, actor, deps, url }, { module_name }) {
    assertCode(actor, project, installingScopes)
    const repository = await findRepository(deps.storages, project)
    const path = decodePath(module_name)
    if (!repository || path === undefined) throw notFound('Module')
    const home = `${new URL(url).hostname}/${project.full_path}`
    return { module: moduleAt(repository, path, home), home }
  },
})

/** `:module_version` becomes a version of the module, or 404. */
const inModuleVersion = within(inModule, {
  name: 'inModuleVersion',
  path: { module_version: text('Version of the module: `v1.0.0`', { maxLength: 255 }) },
  async load({ module }, { module_version }) {
    const name = decodePath(module_version)
    const version = name === undefined ? undefined : await versionNamed(module, name)
    if (!version) throw notFound('Module Version')
    return { version }
  },
})

const reading = { dialect: go, scopes: readingScopes, jobToken: true, can: 'read_package' } as const

export const listGoVersions = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/go/:module_name/@v/list',
  summary: 'List the versions of a module of Go, by the tags of the repository',
  scope: inModule,
  cost: 'heavy',
  answers: bytes('text/plain'),
  async run({ module, home }) {
    const versions = await versionsOf(module)
    if (versions.length === 0 && !isBelow(module.path, home)) throw notFound('Module')
    return { body: versions.join('\n') }
  },
})

export const getGoVersion = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/go/:module_name/@v/:module_version.info',
  summary: 'Get a version of a module of Go with its time',
  scope: inModuleVersion,
  answers: bytes('application/json'),
  run: async ({ module, version: { version, commit } }) => ({
    body: JSON.stringify({ Version: version, Time: await timeOf(module.repository, commit) }),
  }),
})

export const getGoMod = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/go/:module_name/@v/:module_version.mod',
  summary: 'Get the `go.mod` of a version of a module of Go',
  scope: inModuleVersion,
  answers: bytes('text/plain'),
  run: async ({ module, version }) => ({ body: await goModOf(module, version) }),
})

export const downloadGoModule = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/go/:module_name/@v/:module_version.zip',
  summary: 'Download the files of a version of a module of Go',
  scope: inModuleVersion,
  cost: 'heavy',
  answers: ranged('application/zip'),
  async run(ctx) {
    const { project, module, version } = ctx
    return cachedArchive(ctx, {
      version: JSON.stringify([project.id, 'go', version.commit, version.folder, module.path, version.version]),
      mediaType: 'application/zip',
      filename: `${version.version}.zip`,
      make: signal => archiveOf(module, version, signal),
    })
  },
})
