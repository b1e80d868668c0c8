/** The gallery of components: each in all its states, for those who change one (`/-/components`, where the setting shows it). */
import { flag, optional, text } from '../../kernel/declaration/types.ts'
import { icons } from '../assets/icons.ts'
import { field } from '../forms/fields.ts'
import { type Html, html } from '../html.ts'
import { pageLinks } from '../lists.ts'
import { avatar, people } from './avatar.ts'
import { chart } from './charts/chart.ts'
import { progressBar } from './charts/progress.ts'
import { chip, type Tone, visibilityChip } from './chip.ts'
import { copyButton, copyField } from './copy.ts'
import { empty } from './empty.ts'
import { icon } from './icon.ts'
import { bytesText, durationText } from './numbers.ts'
import { pageLink } from './page_link.ts'
import { hidden, revealed } from './revealed.ts'
import { dataTable } from './table.ts'
import { time, zonedTime } from './time.ts'

const tones: readonly Tone[] = ['plain', 'success', 'danger', 'attention', 'accent', 'done']
const person = { name: 'Ada', avatar_url: null }
const DAY = 86_400_000

/** A name that is longer than most windows are wide. */
const LONG = 'a_name_without_any_place_to_break_'.repeat(4)

const choices = {
  name: 'colour',
  control: 'radio',
  choices: [
    ['red', 'Red', 'As a rose'],
    ['blue', 'Blue'],
  ],
} as const

const daysFrom = (first: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(first.getTime() + index * DAY).toISOString().slice(0, 10))

/** Charts of each look: over days and over names, with gaps, a mark, one value, and none. */
const chartStates = (now: Date): Html => {
  const days = daysFrom(new Date(now.getTime() - 20 * DAY), 31)
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', LONG]
  return html`<div class="charts">
${chart({
  id: 'chart-lines',
  title: 'Lines',
  says: 'A line that ends today, a dashed one, and an area.',
  along: { days },
  alongName: 'Day',
  mark: { at: now.toISOString().slice(0, 10), label: 'Today' },
  series: [
    { name: 'Area', shade: 2, look: 'area', values: days.map((_, index) => (index > 20 ? null : index)) },
    { name: 'Line', shade: 1, look: 'line', values: days.map((_, index) => (index > 20 ? null : 30 - index)) },
    { name: 'Dashed', shade: 6, look: 'dashed', values: days.map((_, index) => 30 - index) },
  ],
})}
${chart({
  id: 'chart-bars',
  title: 'Bars beside each other',
  says: 'Two series of bars.',
  along: { names: months },
  alongName: 'Month',
  series: [
    { name: 'First', shade: 1, look: 'bar', values: months.map((_, index) => 1_000 + index * 321) },
    { name: 'Second', shade: 3, look: 'bar', values: months.map((_, index) => 4_000 - index * 321) },
  ],
})}
${chart({ id: 'chart-stack', title: 'Bars on each other', says: 'Six series of bars, each on the one before.', along: { names: months }, alongName: 'Month', stacked: true, series: ([1, 2, 3, 4, 5, 6] as const).map(shade => ({ name: `Shade ${shade}`, shade, look: 'bar', values: months.map((_, index) => ((index + shade) % 5) + 1) })) })}
${chart({ id: 'chart-gaps', title: 'Gaps', says: 'A line with gaps, and points that stand alone.', along: { days: days.slice(0, 7) }, alongName: 'Day', format: value => `${value} d`, series: [{ name: 'Days', shade: 4, look: 'line', values: [1.5, null, 2, 2.5, null, 4, null] }] })}
${chart({ id: 'chart-single', title: 'A single day', says: 'One value.', along: { days: days.slice(0, 1) }, alongName: 'Day', series: [{ name: 'Value', shade: 5, look: 'line', values: [3] }] })}
${chart({ id: 'chart-none', title: 'Nothing', says: 'No value at all.', along: { days: [] }, alongName: 'Day', series: [{ name: 'Value', shade: 5, look: 'bar', values: [] }] })}
</div>`
}

/** The states of each component, by the name of its file, and of what is made of style sheets and schemas alone. */
export const sections = (now: Date): Readonly<Record<string, Html>> => ({
  avatar: html`<div class="row">${([20, 32, 48, 160] as const).map(size => html`${avatar(person, size)}${avatar(person, size, 'square')}`)}</div>
<div class="row">${people(Array.from({ length: 7 }, () => ['Assigned to', person] as const))}</div>`,
  charts: chartStates(now),
  chip: html`<div class="row">${tones.map(tone => chip(tone, tone))}${tones.map(tone => chip(tone, tone, 'rocket'))}</div>
<div class="row">${['public', 'internal', 'private'].map(visibilityChip)}</div>`,
  copy: html`<div class="row">${copyButton('Copy the text', 'text')}</div>${copyField('Address to clone', `https://example.com/${LONG}.git`)}`,
  empty: html`${empty({ icon: 'inbox', title: 'Nothing yet', says: 'What this is for, in a sentence or two.' })}
${empty({ icon: 'tag', title: 'No tags', says: 'A tag names a commit.', action: html`<a class="btn btn-primary" href="/-/components">New tag</a>` })}`,
  icon: html`<ul class="plain-list row">${icons.map(name => html`<li class="nowrap">${icon(name)} <span class="mono">${name}</span></li>`)}</ul><p>${icon('alert', 'With a label')} with a label</p>`,
  numbers: html`<p>${[0, 999, 1_536, 5_000_000, 7_000_000_000].map(bytesText).join(', ')}</p><p>${[0, 59, 3_600, 90_061].map(durationText).join(', ')}</p>`,
  page_link: html`<p>${pageLink('/explore', 'To a page')}, ${pageLink('/nowhere/-/there', 'to what has none')}</p>`,
  progress: html`<div class="stack">${[0, 0.4, 1, 1.2].map(share => progressBar(share, `${share * 100} %`))}</div>`,
  revealed: html`<p>${hidden({ id: 'revealed-example', to: '/-/components', label: 'Show the text' })}</p>${revealed('What was hidden', LONG)}`,
  time: html`<p>${[0, 60_000, DAY, 40 * DAY, 800 * DAY].map(ago => html`${time(new Date(now.getTime() - ago))} `)}</p><p>In Tokyo: ${zonedTime(now, 'Asia/Tokyo')}</p>`,
  buttons: html`<div class="row">${['', ' btn-primary', ' btn-danger', ' btn-sm', ' btn-sm btn-primary', ' btn-sm btn-danger'].map(look => html`<button type="button" class="btn${look}">Button</button><button type="button" class="btn${look}" disabled>Disabled</button>`)}</div>`,
  notices: html`${['', ' success', ' attention', ' danger'].map(look => html`<div class="notice${look}">${icon('info')}<span>What happened, and what to do.</span></div>`)}`,
  list: html`<ul class="list">${['A title', LONG].map(title => html`<li>${avatar(person, 32)}<div class="main"><div class="title"><a href="/-/components">${title}</a></div><div class="facts"><span>by ${person.name}</span>${time(now)}</div></div><button type="button" class="btn btn-sm">Done</button></li>`)}</ul>`,
  panel: html`<section class="panel"><header>${icon('book')}<strong>README.md</strong></header><div class="body">The text of the panel.</div></section>`,
  table: dataTable({
    label: 'A table',
    rows: [LONG, 'Short'],
    columns: [
      { title: 'Name', cell: name => name },
      { title: 'Number', className: 'number', cell: name => name.length },
      { title: 'Change', cell: () => html`<div class="row"><button type="button" class="btn btn-sm">Edit</button></div>` },
    ],
  }),
  pages: html`${pageLinks('/-/components', { page: 5, pages: 12, next: 6, previous: 4 })}${pageLinks('/-/components', { page: 1, pages: undefined, next: 2, previous: undefined }, 'Pages of a list that nobody has counted')}`,
  fields: html`<form>
${field({ name: 'title', label: 'Title' }, text('What it is about, such as `a lamp`'), { value: 'Lanterns', wrong: [] })}
${field({ name: 'path' }, text('The last part of the address'), { value: 'a b', wrong: ['can contain only letters, digits and dashes'] })}
${field({ name: 'branch', suggested: ['main', 'topic'] }, text('Any branch; these are suggested'), { value: 'main', wrong: [] })}
${field({ name: 'note', control: 'textarea' }, optional(text('What else there is to say')), { value: '', wrong: [] })}
${field({ name: 'secret', control: 'password' }, text('At least eight characters'), { value: '', wrong: [] })}
${field({ name: 'shared' }, flag('Others see it'), { value: true, wrong: [] })}
${field(choices, text('Its colour'), { value: 'blue', wrong: [] })}
${field({ name: 'tint', control: 'color' }, text('Its tint'), { value: '#e75e40', wrong: [] })}
${field({ ...choices, name: 'shade', control: 'select' }, text('Its shade'), { value: 'red', wrong: [] })}
</form>`,
})

/** All of it. */
export const gallery = (now: Date): Html =>
  html`${Object.entries(sections(now)).map(([name, states]) => html`<section class="section" id="${name}"><h2>${name.replaceAll('_', ' ')}</h2><div class="stack">${states}</div></section>`)}`
