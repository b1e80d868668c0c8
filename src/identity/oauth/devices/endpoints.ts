/** The device authorization grant (RFC 8628): where devices ask, and where users answer. */
import Type from 'typebox'
import { isImpersonated } from '../../../platform/access/actor.ts'
import { opensWork } from '../../../platform/access/credentials/token_scopes.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, unauthenticated } from '../../../platform/kernel/errors.ts'
import { assertConfirmed } from '../../../platform/pages/forms/confirm.ts'
import { formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { oauth } from '../dialect.ts'
import { beginDeviceGrant, decideDeviceGrant, type FreshDeviceGrant } from './commands.ts'
import { answeredPage, codePage, DEVICE_PAGE, devicePage } from './pages.ts'
import { deviceRequestByCode } from './queries.ts'

const DeviceGrant = entity({
  name: 'OAuthDeviceGrant',
  schema: Type.Object({
    device_code: text('What the device asks for its token with'),
    user_code: text('What the user types'),
    verification_uri: text('Where the user types it'),
    verification_uri_complete: text('The same, with the code'),
    expires_in: integer('Seconds until the codes end'),
    interval: integer('Seconds between two questions of the device'),
  }),
  present: ({ device_code, user_code, ...times }: FreshDeviceGrant, _loaded: undefined, { url }) => ({
    device_code: device_code.reveal(),
    user_code,
    verification_uri: `${url}${DEVICE_PAGE}`,
    verification_uri_complete: `${url}${DEVICE_PAGE}?user_code=${user_code}`,
    ...times,
  }),
})

export const authorizeDevice = endpoint({
  route: 'POST /oauth/authorize_device',
  summary: 'Begin to connect a device without a browser',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  dialect: oauth,
  params: {
    client_id: optional(text('The application; or by Basic authentication', { maxLength: 4096 })),
    client_secret: optional(text('Its secret, when it is confidential', { maxLength: 4096 })),
    scope: optional(text('Scopes with spaces between', { maxLength: 4096 })),
  },
  answers: one(DeviceGrant, 200),
  run: ctx => beginDeviceGrant(ctx, ctx.params),
})

const code = { description: 'The code that the device shows', maxLength: 255 }

export const showDevice = pageEndpoint({
  route: `GET ${DEVICE_PAGE}`,
  summary: 'Ask for the code of a device',
  scope: inInstance,
  can: 'use_instance',
  params: { user_code: optional(Type.String(code)) },
  run: ctx => codePage(ctx, ctx.params.user_code ?? ''),
})

export const submitDevice = formEndpoint({
  route: `POST ${DEVICE_PAGE}`,
  summary: 'Let a device act for oneself, or not',
  scope: inInstance,
  can: 'use_instance',
  params: {
    user_code: Type.String({ ...code, examples: ['BCDF-GHJK'] }),
    decision: optional(OneOf(['allow', 'deny'], { description: 'Not given with the code alone: then it is asked for' })),
  },
  confirms: { formAt: sent => `${DEVICE_PAGE}?${new URLSearchParams({ user_code: String(sent.user_code ?? '') })}` },
  async run(ctx) {
    const { user } = ctx.actor
    if (!user) throw unauthenticated()
    // What is granted would go on when the administrator has stopped.
    if (isImpersonated(ctx.actor)) throw forbidden('Only the user themselves connects a device.')
    const { user_code, decision } = ctx.params
    // Codes are short: only so many can be tried.
    await ctx.deps.limiter.signIn(ctx.request.ip)
    const asked = await deviceRequestByCode(ctx, user_code)
    if (!asked) return codePage(ctx, user_code, true)
    if (decision === undefined) return devicePage(ctx, asked, user_code)
    // Trusted applications too: the token goes to the device, and this page asks for them as for all others.
    if (decision === 'allow' && opensWork(asked.scopes)) assertConfirmed(ctx)
    const isKept = await decideDeviceGrant(ctx, asked, user.id, decision === 'allow')
    return isKept ? answeredPage(ctx, decision === 'allow') : codePage(ctx, user_code, true)
  },
})
