/** Levels, events and reasons against each other: who gets mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChosenEvents, customEvents, levels } from '../../spaces/notification_settings/levels.ts'
import { type Audience, type Candidate, type Occasion, type Reason, reasonFor, reasons, type Standing } from './reasons.ts'

const person = (own: Partial<Candidate>): Candidate => ({
  standings: [],
  isNamed: false,
  subscribed: undefined,
  byLabel: false,
  isMember: true,
  level: 'participating',
  events: {},
  ...own,
})
const standings = reasons.filter((reason): reason is Standing => reason !== 'subscribed' && reason !== 'watching')
const places = levels.filter(level => level !== 'global')

test('the table of levels and events: for those who do not take part, who take part, and who are mentioned', () => {
  const rows = customEvents.map(event => {
    const said = (own: Partial<Candidate>, audience: Audience = event === 'push_to_merge_request' ? 'participants' : 'everyone') =>
      places
        .map(level => {
          const reason = reasonFor(person({ ...own, level }), { audience, events: [event] })
          return reason === undefined ? '-' : reason.slice(0, 1)
        })
        .join('')
    return `${event}: ${said({})} ${said({ events: { [event]: true } })} ${said({ standings: ['participating'] })} ${said({ standings: ['mentioned'] })}`
  })

  // Each column: disabled, participating, watch, mention, custom. w: watching, p: participating, m: mentioned.
  assert.deepEqual(rows, [
    'new_note: --w-- --w-w -pp-p -mmmm',
    'new_issue: --w-- --w-w -pp-p -mmmm',
    'reopen_issue: --w-- --w-w -pp-p -mmmm',
    'close_issue: --w-- --w-w -pp-p -mmmm',
    'reassign_issue: --w-- --w-w -pp-p -mmmm',
    'issue_due: ----- ----w -pp-p -mmmm',
    'new_merge_request: --w-- --w-w -pp-p -mmmm',
    'push_to_merge_request: ----- ----w -pp-p -mmmm',
    'reopen_merge_request: --w-- --w-w -pp-p -mmmm',
    'close_merge_request: --w-- --w-w -pp-p -mmmm',
    'reassign_merge_request: --w-- --w-w -pp-p -mmmm',
    'merge_merge_request: --w-- --w-w -pp-p -mmmm',
    'failed_pipeline: ----- ----w -pp-p -mmmm',
    'fixed_pipeline: ----- ----w -pp-p -mmmm',
    'success_pipeline: ----- ----w ----- ---m-',
    'moved_project: --w-- --w-w -pp-p -mmmm',
    'merge_when_pipeline_succeeds: --w-- --w-w -pp-p -mmmm',
    'new_epic: --w-- --w-w -pp-p -mmmm',
  ])
})

test('of several reasons the strongest is given', () => {
  const occasion: Occasion = { audience: 'everyone', events: ['new_note'] }
  for (const [at, strongest] of reasons.entries()) {
    const rest = reasons.slice(at)
    const own = standings.filter(standing => rest.includes(standing))
    const subscribed = rest.includes('subscribed') ? true : undefined
    assert.equal(reasonFor(person({ standings: own, subscribed, level: 'watch' }), occasion), strongest)
  }
})

test('the choice for an item comes before all levels', () => {
  for (const audience of ['everyone', 'participants', 'named'] as const)
    for (const level of places) {
      const occasion: Occasion = { audience, events: ['new_note'] }
      const all = { standings: [...standings], isNamed: true, byLabel: true, level }
      assert.equal(reasonFor(person({ ...all, subscribed: false }), occasion), undefined)
      if (audience !== 'named') assert.equal(reasonFor(person({ subscribed: true, level: 'disabled' }), occasion), 'subscribed')
    }
})

test('what is said to people by name is for them alone', () => {
  const named: Occasion = { audience: 'named', events: [] }
  const cases: readonly (readonly [Partial<Candidate>, Reason | undefined])[] = [
    [{ standings: ['review_requested'], isNamed: true }, 'review_requested'],
    [{ standings: ['review_requested', 'author'] }, undefined],
    [{ level: 'watch' }, undefined],
    [{ subscribed: true }, undefined],
    [{ byLabel: true }, 'subscribed'],
    [{ standings: ['mentioned'], isNamed: true, level: 'mention' }, 'mentioned'],
    [{ standings: ['assigned'], isNamed: true, level: 'mention' }, undefined],
  ]
  for (const [own, expected] of cases) assert.equal(reasonFor(person(own), named), expected, JSON.stringify(own))
})

test('members hear of the place itself unless their level is off, or custom without it', () => {
  const moved: Occasion = { audience: 'members', events: ['moved_project'] }
  const heard = (own: Partial<Candidate>) => reasonFor(person(own), moved) !== undefined
  const off: ChosenEvents = { moved_project: false }
  assert.deepEqual(
    places.map(level => heard({ level })),
    [false, true, true, true, true],
  )
  assert.equal(heard({ level: 'custom', events: off }), false)
  assert.equal(heard({ level: 'watch', events: off }), true)
  assert.equal(heard({ isMember: false, level: 'watch' }), false)
})

test('a pipeline of one’s own is mailed by the level, and by what was taken out of the level custom', () => {
  const own = { standings: ['author' as const], isNamed: true }
  const failed: Occasion = { audience: 'everyone', events: ['failed_pipeline'] }
  const success: Occasion = { audience: 'everyone', events: ['success_pipeline'] }
  assert.equal(reasonFor(person({ ...own, level: 'custom', events: { failed_pipeline: false } }), failed), undefined)
  assert.equal(reasonFor(person({ ...own, level: 'custom' }), failed), 'author')
  assert.equal(reasonFor(person({ ...own, level: 'watch' }), success), undefined)
  assert.equal(reasonFor(person({ ...own, level: 'custom', events: { success_pipeline: true } }), success), 'author')
})
