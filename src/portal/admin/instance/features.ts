/** Feature flags: what the server asks about, what each stands for, and for whom it is on. */
import { type Flag, flags, type Gate } from '../../../platform/access/feature_flags.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { withCode } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { inFeature, removeFeature, setFeature } from '../../../spaces/features/endpoints.ts'
import { stateOf } from '../../../spaces/features/entity.ts'
import { type FeatureRow, features } from '../../../spaces/features/queries.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/admin/features'

/** Flags that were set and that the page shows at most; what the server asks about is always shown. */
const MOST_SET = 500

const inOne = administered(inFeature)

export const showFeatures = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the feature flags',
  scope: inAdministration,
  can: 'admin_instance',
  async run(ctx) {
    const set = await features(ctx.db).limit(MOST_SET).execute()
    const known = Object.keys(flags) as Flag[]
    const byName = new Map(set.map(feature => [feature.name, feature]))
    const others = set.filter(({ name }) => !Object.hasOwn(flags, name))
    return page(ctx, {
      title: 'Feature flags',
      place: adminPlace('features', ctx),
      body: html`<p class="muted">What this version of the server can do, and does only where it is switched on.</p>
<ul class="list">${known.map(name => featureItem(ctx, name, byName.get(name)))}</ul>
${others.length > 0 && html`<section class="section"><h2>Flags of other versions</h2><p class="muted">They were set, and nothing here asks about them.</p><ul class="list">${others.map(feature => featureItem(ctx, feature.name, feature))}</ul></section>`}`,
    })
  },
})

function featureItem(ctx: Context, name: string, feature: FeatureRow | undefined): Html {
  const definition = Object.hasOwn(flags, name) ? flags[name as Flag] : undefined
  const state = feature ? stateOf(feature.gates) : definition?.standard ? 'on' : 'off'
  const to = `${LIST}/${encodeURIComponent(name)}`
  const button = (value: boolean) =>
    actionButton(ctx, {
      to: `${to}/set`,
      face: value ? 'Switch on' : 'Switch off',
      label: `Switch ${value ? 'on' : 'off'}: ${name}`,
      sends: { value: String(value) },
    })
  return html`<li><div class="main"><div class="title"><code class="break">${name}</code> ${chip(stateWords[state], stateTones[state])}</div>${definition && html`<div class="small">${withCode(definition.says)}</div>`}
<div class="facts">${feature ? gatesView(feature.gates) : html`<span>as this version has it</span>`}</div></div>
<div class="row">${state !== 'on' && button(true)}${state !== 'off' && button(false)}<a class="btn btn-sm" href="${to}/edit">For some<span class="sr-only">: ${name}</span></a>${feature && actionButton(ctx, { to: `${to}/delete`, face: 'Forget', label: `Forget ${name}`, title: 'As this version has it', asks: `Forget what ${name} was set to?` })}</div></li>`
}

const stateWords = { on: 'On', off: 'Off', conditional: 'For some' } as const
const stateTones = { on: 'success', off: 'plain', conditional: 'attention' } as const

const gateWords: Readonly<Record<Exclude<Gate['key'], 'boolean'>, string>> = {
  percentage_of_time: '% of the time',
  percentage_of_actors: '% of those whom it is about',
  actors: '',
  groups: '',
}

/** The gates that are not simply on or off. */
const gatesView = (gates: readonly Gate[]): readonly (Html | undefined)[] =>
  gates.map(gate => {
    if (gate.key === 'boolean') return undefined
    if (gate.key === 'actors' || gate.key === 'groups') return html`<span>for ${gate.value.join(', ')}</span>`
    return html`<span>${gate.value} ${gateWords[gate.key]}</span>`
  })

const editFeature = form({
  path: `${LIST}/:name/edit`,
  summary: 'Set a feature flag for some',
  scope: inOne,
  of: setFeature,
  fields: () => [
    { name: 'value', control: 'select', hint: '', choices: settings },
    { name: 'key', label: 'A percentage is', control: 'select', hint: '', choices: percentages },
    { name: 'user', label: 'People', hint: 'Usernames, with commas between. None, and no group or project: for all.' },
    { name: 'group', label: 'Groups', hint: 'Full paths, with commas between.' },
    { name: 'project', label: 'Projects', hint: 'Full paths, with commas between.' },
    { name: 'feature_group', label: 'Feature group', hint: 'This version of the server knows none; the name is kept.' },
  ],
  values: () => ({ value: 'true' }),
  fixed: () => ({ force: 'true' }),
  next: () => LIST,
  notice: 'The flag was set.',
  button: 'Set flag',
  cancel: () => LIST,
  frame: ctx => ({ title: ctx.name, place: adminPlace('features', ctx) }),
})
export const showEditFeature = editFeature.show
export const submitEditFeature = editFeature.submit

const settings = [
  ['true', 'On'],
  ['false', 'Off'],
  ...[0, 1, 5, 10, 25, 50, 75, 90, 99, 100].map(share => [String(share), `${share} %`] as const),
] as const

const percentages = [
  ['percentage_of_time', 'of the time'],
  ['percentage_of_actors', 'of the people, groups and projects whom it is about'],
] as const

export const switchFeature = action({
  route: `POST ${LIST}/:name/set`,
  of: setFeature,
  scope: inOne,
  next: () => LIST,
  notice: 'The flag was set.',
})

export const forgetFeature = action({
  route: `POST ${LIST}/:name/delete`,
  of: removeFeature,
  scope: inOne,
  next: () => LIST,
  notice: 'The flag is as this version has it.',
})
