/** Distributions of Debian of projects and groups (Debian project and group distributions APIs at 14.0): the same declarations for both. */
import Type from 'typebox'
import type { Ability } from '../../../../../platform/access/abilities.ts'
import { contentDisposition } from '../../../../../platform/kernel/answer/disposition.ts'
import { plain } from '../../../../../platform/kernel/answer/entity.ts'
import { bytes, endpoint, one, pageOf } from '../../../../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../../../../platform/kernel/declaration/scope.ts'
import { CommaList, integer, optional, text } from '../../../../../platform/kernel/declaration/types.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../../dialect.ts'
import { createDistribution, removeDistribution, updateDistribution } from './commands.ts'
import { DebianDistribution } from './entity.ts'
import { distributionsOf } from './queries.ts'
import { type InDistributionPlace, inDistribution, inGroupDistributions, inProjectDistributions } from './scope.ts'

/** Names that stand in addresses and on one line of an index. */
const name = (about: string, example: string) =>
  text(about, { pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$', minLength: 1, maxLength: 255, examples: [example] })

const names = (about: string, pattern: string) =>
  CommaList(text('Name', { pattern, maxLength: 60 }), { description: about, minItems: 1, maxItems: 20 })

const attributes = {
  suite: optional(name('Other name of it', 'unstable')),
  origin: optional(name('Origin that its index says', 'Team')),
  label: optional(name('Label that its index says', 'team')),
  version: optional(text('Version that its index says', { pattern: '^[0-9A-Za-z.+:~-]+$', maxLength: 255, examples: ['12'] })),
  description: optional(text('Description that its index says', { maxLength: 1_000 })),
  valid_time_duration_seconds: optional(
    integer('Seconds that its index is valid for; at least a day', { minimum: 86_400, maximum: 2_147_483_647 }),
  ),
  components: optional(names('Names of its components; `main` unless given', '^[A-Za-z0-9][A-Za-z0-9.-]*$')),
  architectures: optional(names('Names of its architectures besides `all`; `amd64` unless given', '^[a-z0-9][a-z0-9-]*$')),
}

const Accepted = plain('DebianDistributionDeleted', Type.Object({ message: text('That it is deleted') }))

interface Kind<S extends InDistributionPlace> {
  readonly noun: 'group' | 'project'
  readonly scope: Scope<S>
  readonly path: '/projects/:id/debian_distributions' | '/groups/:id/-/debian_distributions'
  readonly read: Ability
  readonly write: Ability
  readonly destroy: Ability
}

function distributionEndpoints<S extends InDistributionPlace>({ noun, scope, path, read, write, destroy }: Kind<S>) {
  const dialect = packageDialect(`debian_${noun}_distributions`)
  const reading = { dialect, can: read, scopes: readingScopes, jobToken: true } as const
  const writing = { dialect, scopes: publishingScopes, jobToken: true } as const
  const inOne = inDistribution(scope, noun === 'group' ? 'Group' : 'Project')

  const list = endpoint({
    ...reading,
    route: `GET ${path}`,
    summary: `List the distributions of Debian of a ${noun}`,
    scope,
    params: {
      codename: optional(name('Exact codename', 'sid')),
      suite: optional(name('Exact suite', 'unstable')),
    },
    answers: pageOf(DebianDistribution),
    run: ({ db, place, params: { codename, suite } }) =>
      distributionsOf(db, place)
        .$if(codename !== undefined, query => query.where('codename', '=', codename as string))
        .$if(suite !== undefined, query => query.where('suite', '=', suite as string)),
  })
  const get = endpoint({
    ...reading,
    route: `GET ${path}/:codename`,
    summary: `Get a distribution of Debian of a ${noun}`,
    scope: inOne,
    answers: one(DebianDistribution),
    run: ({ distribution }) => distribution,
  })
  const key = endpoint({
    ...reading,
    route: `GET ${path}/:codename/key.asc`,
    summary: `Get the public key that signs the indexes of a distribution of Debian of a ${noun}`,
    scope: inOne,
    answers: bytes('text/plain'),
    run: ({ distribution: { codename, public_key } }) => ({
      body: public_key,
      headers: { 'content-disposition': contentDisposition('attachment', `${codename}.asc`) },
    }),
  })
  const create = endpoint({
    ...writing,
    route: `POST ${path}`,
    summary: `Create a distribution of Debian in a ${noun}, with a key that signs its indexes`,
    scope,
    can: write,
    params: { codename: name('Codename', 'sid'), ...attributes },
    answers: one(DebianDistribution),
    run: ctx => createDistribution(ctx, ctx.place, ctx.params),
  })
  const update = endpoint({
    ...writing,
    route: `PUT ${path}/:codename`,
    summary: `Change a distribution of Debian of a ${noun}`,
    scope: inOne,
    can: write,
    params: attributes,
    answers: one(DebianDistribution),
    run: ctx => updateDistribution(ctx, ctx.place, ctx.distribution, ctx.params),
  })
  const remove = endpoint({
    ...writing,
    route: `DELETE ${path}/:codename`,
    summary: `Delete a distribution of Debian of a ${noun}; the packages stay`,
    scope: inOne,
    can: destroy,
    // Contract: 202 with a message (Debian distributions API at 14.0).
    answers: one(Accepted, 202),
    async run(ctx) {
      await removeDistribution(ctx, ctx.distribution)
      return { message: '202 Accepted' }
    },
  })
  return [list, get, key, create, update, remove] as const
}

export const projectDistributions = distributionEndpoints({
  noun: 'project',
  scope: inProjectDistributions,
  path: '/projects/:id/debian_distributions',
  read: 'read_package',
  write: 'create_package',
  destroy: 'destroy_package',
})

export const groupDistributions = distributionEndpoints({
  noun: 'group',
  scope: inGroupDistributions,
  path: '/groups/:id/-/debian_distributions',
  read: 'read_group_packages',
  write: 'create_group_packages',
  destroy: 'destroy_group_packages',
})
