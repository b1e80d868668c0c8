/** The hooks of projects and groups: what there is and how it goes, the forms, the log of what was sent, trials, and sending again. */
import { nextAttemptAt } from '../../integrations/hooks/deliveries/commands.ts'
import { Delivery } from '../../integrations/hooks/deliveries/entity.ts'
import { type DeliveryRow, latestDeliveries } from '../../integrations/hooks/deliveries/queries.ts'
import { groupHooks, projectHooks, tryProjectHook } from '../../integrations/hooks/endpoints.ts'
import type { HookRow } from '../../integrations/hooks/queries.ts'
import { withSamples } from '../../integrations/hooks/samples.ts'
import { type HookKind, type Switch, switchesOf } from '../../integrations/hooks/switches.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { shownUrl } from '../../platform/outbound/shown_url.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { thingPages, thingsPath } from '../things/things.ts'
import { deliveryList, deliveryView, outcomeChip, type ShownDelivery } from './delivery_view.ts'
import { hookFields, switchName } from './fields.ts'
import { hookTopicOf } from './live.ts'

/** A hook as the API answers it. */
type ShownHook = { readonly id: number; readonly url: string; readonly enable_ssl_verification: boolean } & {
  readonly [S in Switch]?: boolean
}

type InHook<S> = S & { readonly hook: HookRow }
type InDelivery<S> = InHook<S> & { readonly delivery: DeliveryRow }

interface Kind<S extends object> {
  readonly home: Home<S>
  readonly kind: HookKind
  readonly api: readonly Endpoint[]
  /** The parameter of the API's addresses that names a hook. */
  readonly id: 'id' | 'hook_id'
  readonly trial?: Endpoint
}

/** The pages of the hooks of one kind of place. */
export function hookPages<S extends object>({ home, kind, api, id, trial }: Kind<S>): Readonly<Record<string, Endpoint>> {
  const path = home.route === '/admin' ? '/hooks' : '/-/hooks'
  const base = `${home.route}${path}` as `/${string}`
  const of = (method: Endpoint['method'], ending: RegExp) => declarationOf(api, method, ending)
  const one = new RegExp(`/:${id}$`)
  const log = of('GET', /\/events$/)
  const again = of('POST', /\/resend$/)
  const back = (ctx: S) => thingsPath({ home, path }, ctx)
  const hookPath = (ctx: InHook<S>) => `${back(ctx)}/${ctx.hook.id}`
  const names = switchesOf[kind] as readonly Switch[]

  const things = thingPages<S, ShownHook, Awaited<ReturnType<typeof latestDeliveries>>>({
    home,
    path,
    key: 'hooks',
    title: 'Webhooks',
    icon: 'link',
    purpose: 'A webhook posts what happens here to another program: a build server, a chat, a deployment.',
    list: of('GET', /\/hooks$/),
    more: ({ db }, rows) =>
      latestDeliveries(
        db,
        rows.map(row => row.id),
      ),
    row(hook, ctx, latest) {
      const last = latest.get(hook.id)
      const on = names.filter(name => hook[name])
      return html`<div class="title"><a href="${back(ctx)}/${hook.id}">${hook.url}</a></div><div class="facts"><span>${last ? outcomeChip(last) : chip('Nothing sent in the last week')}</span><span>${on.length > 0 ? on.map(switchName).join(', ') : 'No events'}</span>${!hook.enable_ssl_verification && html`<span>${chip('Certificate not checked', 'attention')}</span>`}</div>`
    },
    labelOf: ({ url }) => url,
    idOf: hook => hook.id,
    id,
    add: {
      of: of('POST', /\/hooks$/),
      title: 'Add webhook',
      fields: () => hookFields(kind, true),
      values: () => ({ enable_ssl_verification: true, push_events: kind !== 'system', repository_update_events: kind === 'system' }),
      notice: 'The webhook was added. Try it before you trust it.',
    },
    edit: {
      of: of('PUT', one),
      named: ({ hook }: InHook<S>) => shownUrl(hook.url),
      fields: () => hookFields(kind, false),
      values: ({ hook }: InHook<S>) => ({
        url: shownUrl(hook.url),
        enable_ssl_verification: hook.enable_ssl_verification,
        push_events_branch_filter: hook.push_events_branch_filter,
        ...Object.fromEntries(names.map(name => [name, hook.switches.includes(name)])),
      }),
      instead: {
        of: [],
        params: {},
        // An empty token would take away the one there is.
        adapt: async (_ctx, { token, ...params }) => (token === '' ? params : { ...params, token }),
      },
      notice: 'The webhook was changed.',
    },
    remove: { of: of('DELETE', one), button: 'Remove', notice: 'The webhook was removed; nothing is sent to it any more.' },
  })

  const showHook = pageEndpoint({
    route: `GET ${base}/:${id}`,
    summary: `Show a webhook of ${home.noun}, and what was sent to it`,
    scope: home.inPage(log.scope) as never,
    can: log.can as never,
    ...(log.tier && { tier: log.tier }),
    params: { ...listParams, ...log.params },
    async run(input) {
      const ctx = input as unknown as Context & InHook<S> & { readonly params: Readonly<Record<string, unknown>> }
      const found = await answerOf(ctx, log, ctx.params)
      const at = hookPath(ctx)
      return page(ctx, {
        title: 'Webhook',
        place: home.placeOf(ctx, 'hooks'),
        heading: 'own',
        width: 'medium',
        live: [hookTopicOf(ctx.hook)],
        body: html`<div class="heading"><h1>Webhook</h1><a class="btn" href="${at}/edit">Edit</a></div><p class="mono">${shownUrl(ctx.hook.url)}</p>
${trials(ctx, at)}
<section class="section"><h2>Sent in the last week</h2>${livePart('deliveries', hookTopicOf(ctx.hook), html`${found.rows.length > 0 ? deliveryList(found.rows as readonly ShownDelivery[], `${at}/hook_logs`) : empty({ icon: 'history', title: 'Nothing was sent', says: 'What is sent stands here, with its answer, for a week.' })}${found.links}`)}</section>`,
      })
    },
  })

  const trials = (ctx: Context & InHook<S>, at: string): Html | undefined => {
    if (!trial) return undefined
    const choices = kind === 'system' ? [] : withSamples(names)
    return html`<section class="section"><h2>Try it</h2><p class="muted">Sends what the latest thing of its kind here would send, whether or not the webhook wants it.</p><div class="row">${
      kind === 'system'
        ? actionButton(ctx, { to: `${at}/test`, face: 'Send a trial' })
        : choices.map(name =>
            actionButton(ctx, { to: `${at}/test/${name}`, face: switchName(name), label: `Try with: ${switchName(name)}` }),
          )
    }</div></section>`
  }

  const showDelivery = pageEndpoint({
    route: `GET ${base}/:${id}/hook_logs/:hook_event_id`,
    summary: `Show what was sent to a webhook of ${home.noun}, and the answer`,
    scope: home.inPage(again.scope) as never,
    can: again.can as never,
    ...(again.tier && { tier: again.tier }),
    async run(input) {
      const ctx = input as unknown as Context & InDelivery<S>
      const [shown] = await presentAll(Delivery, ctx, [ctx.delivery])
      const next = await nextAttemptAt(ctx.db, ctx.delivery)
      return page(ctx, {
        title: 'Delivery',
        place: home.placeOf(ctx, 'hooks'),
        heading: 'own',
        width: 'medium',
        live: [hookTopicOf(ctx.hook)],
        body: html`<p><a href="${hookPath(ctx)}">All that was sent to ${shownUrl(ctx.hook.url)}</a></p>${livePart('delivery', hookTopicOf(ctx.hook), deliveryView(shown as ShownDelivery, actionButton(ctx, { to: `${hookPath(ctx)}/hook_logs/${ctx.delivery.id}/retry`, face: 'Send again', look: 'primary' }), next))}`,
      })
    },
  })

  return {
    ...things,
    showHook,
    showDelivery,
    resend: action<InDelivery<S>>({
      route: `POST ${base}/:${id}/hook_logs/:hook_event_id/retry`,
      of: again,
      scope: home.inPage(again.scope),
      next: (ctx, sent: DeliveryRow) => `${hookPath(ctx)}/hook_logs/${sent.id}`,
      notice: 'It was sent again; this is what came of it.',
    }),
    ...(trial && {
      trial: action<InHook<S>>({
        route: `POST ${base}/:${id}/test${kind === 'system' ? '' : '/:trigger'}`,
        of: trial,
        scope: home.inPage(trial.scope),
        next: hookPath,
        notice: 'A trial is on its way. Load the page again to see its answer below.',
        refused: (ctx, refusal) => page(ctx, refusedTrial(ctx, refusal.body)),
      }),
    }),
  }

  function refusedTrial(ctx: Context & InHook<S>, body: unknown) {
    const { message } = body as { message?: unknown }
    return {
      title: 'There is nothing to try it with',
      place: home.placeOf(ctx, 'hooks'),
      width: 'medium' as const,
      status: 422,
      body: html`<p>${String(message)}</p><p><a class="btn" href="${hookPath(ctx)}">Back to the webhook</a></p>`,
    }
  }
}

export const projectHookPages = hookPages<InEither>({
  home: projectHome,
  kind: 'project',
  api: projectHooks,
  id: 'hook_id',
  trial: tryProjectHook,
})
export const groupHookPages = hookPages<InEither>({ home: groupHome, kind: 'group', api: groupHooks, id: 'hook_id' })
