/** The integrations of projects, groups and the instance: what there is, the form of each kind, trials, and the log of its notifications. */
import { deliveriesTo } from '../../integrations/integration_deliveries/queries.ts'
import { hasTrial, tryIntegration } from '../../integrations/integration_deliveries/try.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { groupIntegrations, instanceIntegrations, projectIntegrations } from '../../spaces/integration_settings/endpoints.ts'
import { propertiesOf } from '../../spaces/integration_settings/entity.ts'
import type { IntegrationKind } from '../../spaces/integration_settings/kinds/field.ts'
import { integrationKinds } from '../../spaces/integration_settings/kinds/kinds.ts'
import { integrationsIn, ownIntegrations } from '../../spaces/integration_settings/queries.ts'
import { findIntegration, type InIntegrationPlace } from '../../spaces/integration_settings/scope.ts'
import { secretsOf } from '../../spaces/integration_settings/secrets.ts'
import { initialSwitches, integrationSwitches } from '../../spaces/integration_settings/switches.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { adminHome } from '../admin/home.ts'
import type { InEither } from '../places/planning.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { integrationFields, withAllSettings } from './fields.ts'
import { deliveryLog, keptNotice, kindList } from './views.ts'

/** Deliveries that a page shows. */
const SHOWN = 20

type InPlace<S> = S & InIntegrationPlace
type InKind<S> = InPlace<S> & { readonly kind: IntegrationKind; readonly project?: ProjectWithRole }

interface Kind<S extends object> {
  readonly home: Home<S>
  readonly api: readonly Endpoint[]
  /** As in "those of a group around it"; undefined where there is nothing around. */
  readonly around?: string
}

/** The settings that a place has itself of a kind. */
const ownOf = ({ db, place, kind }: Context & InKind<object>) => ownIntegrations(db, place).where('slug', '=', kind.slug).executeTakeFirst()

/** Do the places around have settings of the kind? */
async function isSetAround({ db, place, kind }: Context & InKind<object>): Promise<boolean> {
  const found = await integrationsIn(db, { above: place.above }).where('slug', '=', kind.slug).executeTakeFirst()
  return found !== undefined
}

/** The pages of the integrations of one kind of place. */
function integrationPages<S extends object>({ home, api, around }: Kind<S>): Readonly<Record<string, Endpoint>> {
  const path = home.route === '/admin' ? '/integrations' : '/-/settings/integrations'
  const base = `${home.route}${path}` as `/${string}`
  const back = (ctx: S) => `${home.pathOf(ctx)}${path}`
  const at = (ctx: InKind<S>) => `${back(ctx)}/${ctx.kind.slug}`
  const [list, set, remove] = [
    declarationOf(api, 'GET', /\/integrations$/),
    declarationOf(api, 'PUT', /:slug$/),
    declarationOf(api, 'DELETE', /:slug$/),
  ]
  const inOne = home.inPage(set.scope)

  const show = pageEndpoint({
    route: `GET ${base}`,
    summary: `Show the integrations of ${home.noun}`,
    scope: home.inPage(list.scope) as never,
    can: list.can as never,
    async run(input) {
      const ctx = input as unknown as Context & InPlace<S>
      const rows = await ctx.integrations.execute()
      const states = new Map(rows.map(row => [row.slug, row]))
      return page(ctx, {
        title: 'Integrations',
        place: home.placeOf(ctx, 'integrations'),
        width: 'medium',
        body: html`<p class="muted">Programs that are notified of what happens here, or that this place is linked with. <a href="/help/integrations">What each does</a></p>${kindList(integrationKinds, states, back(ctx))}`,
      })
    },
  })

  const edit = form<InKind<S>>({
    path: `${base}/:slug/edit`,
    summary: `Set up an integration of ${home.noun}`,
    scope: inOne,
    of: set,
    fields: async ctx => integrationFields(ctx.kind, new Set(Object.keys(secretsOf(ctx.deps, await ownOf(ctx))))),
    async values(ctx) {
      const row = await ctx.integrations.where('slug', '=', ctx.kind.slug).executeTakeFirst()
      const switches = row?.switches ?? initialSwitches
      return {
        ...Object.fromEntries(ctx.kind.fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]]))),
        ...(row && propertiesOf(row)),
        ...Object.fromEntries(integrationSwitches.map(name => [name, switches.includes(name)])),
        active: row?.active ?? true,
        comment_on_event_enabled: row?.comment_on_event_enabled ?? true,
      }
    },
    empty: 'left_out',
    instead: {
      of: [],
      params: {},
      // What was emptied is cleared, but for secrets, which no form shows.
      adapt: async (ctx, params) => ({
        ...Object.fromEntries(
          ctx.kind.fields.flatMap(({ name, type, secret }) => (secret || type === 'flag' || type === 'integer' ? [] : [[name, '']])),
        ),
        ...params,
        keeps_secrets: true,
      }),
    },
    next: at0 => `${at(at0)}/edit`,
    notice: 'The integration was saved.',
    button: 'Save',
    cancel: back,
    frame: ctx => ({ title: ctx.kind.title, place: home.placeOf(ctx, 'integrations') }),
    before: ctx => above(ctx),
    after: ctx => below(ctx),
  })

  async function above(ctx: Context & InKind<S>): Promise<Html> {
    const row = await ctx.integrations.where('slug', '=', ctx.kind.slug).executeTakeFirst()
    return html`<p class="muted">${ctx.kind.about}${ctx.kind.kept && html` ${keptNotice}`}</p>${row?.inherited && row.active && html`<p>${chip('Inherited', 'accent')} These settings are those of a group around it, or of the instance. Saving makes own ones; secrets are given again.</p>`}`
  }

  /** Trials, how it ends, and the log. */
  async function below(ctx: Context & InKind<S>): Promise<Html> {
    const row = await ctx.integrations.where('slug', '=', ctx.kind.slug).executeTakeFirst()
    if (!row) return html``
    const own = await ownOf(ctx)
    const notified = ctx.kind.kept
      ? []
      : await deliveriesTo(ctx.db, { integrationId: row.id, projectId: ctx.project?.id }).limit(SHOWN).execute()
    const buttons = [
      row.active &&
        hasTrial(row.slug, ctx.project !== undefined) &&
        actionButton(ctx, { to: `${at(ctx)}/test`, face: 'Test the saved settings' }),
      own?.active &&
        actionButton(ctx, {
          to: `${at(ctx)}/remove`,
          face: 'Turn off and forget',
          look: 'danger',
          asks: `Turn off ${ctx.kind.title} and forget its settings?`,
        }),
      own &&
        around !== undefined &&
        (await isSetAround(ctx)) &&
        actionButton(ctx, { to: `${at(ctx)}/inherit`, face: `Use the settings ${around}` }),
    ]
    return html`<section class="section"><div class="row">${buttons}</div></section>${
      !ctx.kind.kept &&
      ctx.kind.events.length > 0 &&
      html`<section class="section"><h2>Notifications of the last week</h2>${notified.length > 0 ? deliveryLog(notified) : empty({ icon: 'history', title: 'Nothing yet', says: 'What it is notified of stands here, with the answers, for a week.' })}</section>`
    }`
  }

  const trial = formEndpoint({
    route: `POST ${base}/:slug/test`,
    summary: `Try the settings of an integration of ${home.noun}`,
    scope: inOne as never,
    can: set.can as never,
    errors: ['unprocessable'],
    // The request goes out between two transactions.
    writes: 'own',
    async run(input) {
      const ctx = input as unknown as Context & InKind<S>
      const row = await findIntegration(ctx, 'Integration')
      const problem = await tryIntegration(ctx, row, ctx.project)
      return done(ctx, `${at(ctx)}/edit`, problem === undefined ? 'It works: the server took it.' : `It did not work. ${problem}`)
    },
  })

  return {
    show,
    showForm: edit.show,
    submit: withAllSettings(edit.submit),
    trial,
    remove: action<InKind<S>>({
      route: `POST ${base}/:slug/remove`,
      of: remove,
      scope: inOne,
      next: back,
      notice: 'The integration was turned off, and its settings are forgotten.',
    }),
    ...(around !== undefined && {
      inherit: action<InKind<S>>({
        route: `POST ${base}/:slug/inherit`,
        of: set,
        scope: inOne,
        instead: { params: {}, adapt: async () => ({ use_inherited_settings: true }) },
        next: back,
        notice: 'The settings of the place around it are used, where there are some.',
      }),
    }),
  }
}

export const projectIntegrationPages = integrationPages<InEither>({
  home: projectHome,
  api: projectIntegrations,
  around: 'of the group or the instance',
})
export const groupIntegrationPages = integrationPages<InEither>({
  home: groupHome,
  api: groupIntegrations,
  around: 'of the group above or the instance',
})
export const instanceIntegrationPages = integrationPages<object>({ home: adminHome, api: instanceIntegrations })
