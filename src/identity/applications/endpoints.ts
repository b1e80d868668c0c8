/** Applications that users can sign in to by OAuth (applications API of the v4 level 14.0): administrators only. */
import Type from 'typebox'
import { type ApplicationScope, applicationScopes } from '../../platform/access/credentials/token_scopes.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { createApplication, removeApplication, renewSecret, updateApplication } from './commands.ts'
import { Application, ApplicationWithSecret } from './entity.ts'
import { applications } from './queries.ts'
import { inApplication } from './scope.ts'

/** Scopes are one text separated by spaces, as in OAuth; commas and lists are accepted as well. */
function readScopes(texts: readonly string[]): ApplicationScope[] {
  const words = texts.flatMap(text => text.split(/\s+/)).filter(word => word !== '')
  if (words.length === 0) throw invalid({ scopes: ["can't be blank"] })
  if (!words.every(word => (applicationScopes as readonly string[]).includes(word)))
    throw invalid({ scopes: ['does not have a valid value'] })
  return words as ApplicationScope[]
}

export const listApplications = endpoint({
  route: 'GET /applications',
  summary: 'List applications',
  scope: inInstance,
  can: 'admin_instance',
  answers: pageOf(Application),
  run: ({ db }) => applications(db),
})

export const postApplication = endpoint({
  route: 'POST /applications',
  summary: 'Register an application',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    name: text('Name', { maxLength: 255, examples: ['Time sheet'] }),
    redirect_uri: text('One or more, with white space between', { maxLength: 10_000, examples: ['https://client.example.com/callback'] }),
    scopes: CommaList(Type.String(), {
      description: `Several with spaces between: ${applicationScopes.join(' ')}`,
      examples: ['api read_user'],
    }),
    confidential: optional(flag('It can keep a secret; true unless given', { default: true })),
    trusted: optional(flag('People are not asked for their consent', { default: false })),
  },
  answers: one(ApplicationWithSecret),
  run: ctx => {
    const { name, redirect_uri, scopes, confidential = true, trusted = false } = ctx.params
    return createApplication(ctx, { name, redirect_uri, scopes: readScopes(scopes), confidential, trusted })
  },
})

// Absent from the public API, whose pages can do it.
export const changeApplication = endpoint({
  route: 'PUT /applications/:id',
  summary: 'Change an application',
  scope: inApplication,
  can: 'admin_instance',
  params: {
    name: optional(text('Name', { minLength: 1, maxLength: 255 })),
    redirect_uri: optional(text('One or more, with white space between', { minLength: 1, maxLength: 10_000 })),
    scopes: Type.Optional(CommaList(Type.String(), { description: `Several with spaces between: ${applicationScopes.join(' ')}` })),
    confidential: optional(flag('It can keep a secret')),
    trusted: optional(flag('People are not asked for their consent')),
  },
  answers: one(Application),
  run: ({ params: { scopes, ...others }, ...ctx }) =>
    updateApplication(ctx, ctx.application, { ...others, ...(scopes && { scopes: readScopes(scopes) }) }),
})

export const renewApplicationSecret = endpoint({
  route: 'POST /applications/:id/renew-secret',
  summary: 'Give an application a new secret',
  scope: inApplication,
  can: 'admin_instance',
  answers: one(ApplicationWithSecret),
  run: ctx => renewSecret(ctx, ctx.application),
})

export const deleteApplication = endpoint({
  route: 'DELETE /applications/:id',
  summary: 'Delete an application with its tokens',
  scope: inApplication,
  can: 'admin_instance',
  answers: nothing,
  run: ctx => removeApplication(ctx, ctx.application),
})
