/** What the registry of Conan has besides recipes: whether it is there, who one is, and searches (Conan packages API at 14.0, and v2 of later releases). */
import { isAnonymous } from '../../../../platform/access/actor.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint } from '../../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../../platform/kernel/declaration/scope.ts'
import { flag, optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { unauthenticated } from '../../../../platform/kernel/errors.ts'
import { inPackages } from '../../scope.ts'
import { reading, tokenFor } from './dialect.ts'
import { foundOf } from './documents.ts'
import { findRecipes, type SearchPlace } from './queries.ts'

const inProject = { ...reading, scope: inPackages, can: 'read_package' } as const
const everywhere = { ...reading, scope: inInstance, can: 'read_instance' } as const

const json = bytes('application/json')
const plain = bytes('text/plain')

const search = {
  q: optional(text('Pattern of names, in which `*` stands for any text; all without it', { maxLength: 255, examples: ['thing*'] })),
  ignorecase: flag('Whether case of letters does not count', { default: true }),
}

interface Search {
  readonly q?: string
  readonly ignorecase: boolean
}

const searchIn = async ({ db }: Pick<Context, 'db'>, place: SearchPlace, { q, ignorecase }: Search) =>
  foundOf(await findRecipes(db, place, q, ignorecase))

/** What clients ask first. @param capabilities what the registry can do besides */
const pinged = (capabilities: string) => async () => ({ body: '""', headers: { 'x-conan-server-capabilities': capabilities } })

const signedIn = async (ctx: Context) => ({ body: tokenFor(ctx), headers: { 'cache-control': 'no-store' } })

async function checked({ actor }: Pick<Context, 'actor'>) {
  if (isAnonymous(actor)) throw unauthenticated()
  return { body: 'ok' }
}

export const pingConan = endpoint({
  ...inProject,
  route: 'GET /projects/:id/packages/conan/v1/ping',
  summary: 'Ask whether a project has a registry of Conan',
  answers: json,
  run: pinged('revisions'),
})

export const pingConanOfInstance = endpoint({
  ...everywhere,
  route: 'GET /packages/conan/v1/ping',
  summary: 'Ask whether the instance has a registry of Conan',
  answers: json,
  run: pinged(''),
})

/** The same of both generations of the protocol. */
const ofGeneration = (version: 'v1' | 'v2') =>
  [
    endpoint({
      ...inProject,
      route: `GET /projects/:id/packages/conan/${version}/users/authenticate`,
      summary: `Get a short-lived token for the registry of Conan of a project (${version})`,
      answers: plain,
      run: signedIn,
    }),
    endpoint({
      ...inProject,
      route: `GET /projects/:id/packages/conan/${version}/users/check_credentials`,
      summary: `Ask whether a token opens the registry of Conan of a project (${version})`,
      answers: plain,
      run: checked,
    }),
    endpoint({
      ...inProject,
      route: `GET /projects/:id/packages/conan/${version}/conans/search`,
      summary: `Search the recipes of Conan of a project (${version})`,
      params: search,
      answers: json,
      run: ctx => searchIn(ctx, { projectId: ctx.project.id }, ctx.params),
    }),
  ] as const

export const conanOfProject = ofGeneration('v1')
export const conan2OfProject = ofGeneration('v2')

export const authenticateConanOfInstance = endpoint({
  ...everywhere,
  route: 'GET /packages/conan/v1/users/authenticate',
  summary: 'Get a short-lived token for the registry of Conan of the instance',
  answers: plain,
  run: signedIn,
})

export const checkConanCredentialsOfInstance = endpoint({
  ...everywhere,
  route: 'GET /packages/conan/v1/users/check_credentials',
  summary: 'Ask whether a token opens the registry of Conan of the instance',
  answers: plain,
  run: checked,
})

export const searchConanOfInstance = endpoint({
  ...everywhere,
  route: 'GET /packages/conan/v1/conans/search',
  summary: 'Search the recipes of Conan of all projects whose packages the caller may read',
  params: search,
  answers: json,
  run: ctx => searchIn(ctx, { actor: ctx.actor }, ctx.params),
})
