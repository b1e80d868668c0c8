/** The topics of the instance, managed by administrators. */
import { text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { counted } from '../../platform/pages/components/numbers.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { createTopic, deleteTopic, listTopics, mergeTopics, updateTopic } from '../../spaces/topics/endpoints.ts'
import { type TopicRow, topicByName } from '../../spaces/topics/queries.ts'
import { adminHome } from '../admin/home.ts'
import { adminPlace } from '../admin/place.ts'
import { inAdministration } from '../admin/scope.ts'
import { thingPages } from '../things/things.ts'
import { topicPath } from './address.ts'

type Topic = Pick<TopicRow, 'id' | 'name' | 'description' | 'total_projects_count'> & { readonly title: string }

const description = { name: 'description', control: 'textarea', hint: 'What projects with it have in common.' } as const
const picture = {
  name: 'avatar',
  label: 'Picture',
  control: 'file',
  hint: 'An image of up to 200 KB; the one there is stays when empty.',
} as const

export const topicManagement = thingPages<object, Topic>({
  home: adminHome,
  path: '/topics',
  key: 'topics',
  title: 'Topics',
  icon: 'tag',
  purpose: 'Topics are words that projects carry, so that they are found together.',
  list: listTopics,
  row: ({ name, title, description, total_projects_count }) =>
    html`<div class="title"><a href="${topicPath(name)}">${title}</a></div><div class="facts">${title !== name && html`<span class="mono">${name}</span>`}<span>${counted(total_projects_count, 'project')}</span>${description && html`<span class="break">${description}</span>`}</div>`,
  labelOf: ({ name }) => name,
  idOf: ({ id }) => id,
  id: 'id',
  add: {
    of: createTopic,
    title: 'Add topic',
    fields: () => [
      { name: 'name', hint: 'As projects spell it.', autofocus: true },
      { name: 'title', hint: 'As people read it; the name where it is empty.' },
      description,
      picture,
    ],
    notice: 'The topic was added.',
  },
  edit: {
    of: updateTopic,
    named: ({ topic }: { readonly topic: TopicRow }) => topic.name,
    fields: () => [
      { name: 'name', required: true, hint: 'It changes in all projects that have it.' },
      { name: 'title', required: true, hint: 'As people read it.' },
      description,
      picture,
    ],
    values: ({ topic }: { readonly topic: TopicRow }) => ({ ...topic, title: topic.title ?? topic.name }),
    notice: 'The topic was changed.',
  },
  remove: { of: deleteTopic, button: 'Delete', notice: 'The topic was deleted, in its projects too.' },
  after: () => html`<p class="section"><a class="btn" href="/admin/topics/merge">Merge two topics</a></p>`,
})

const merging = form<object>({
  path: '/admin/topics/merge',
  summary: 'Merge one topic into another',
  scope: inAdministration,
  of: mergeTopics,
  instead: {
    of: ['source_topic_id', 'target_topic_id'],
    params: {
      source: text('Name of the topic that goes', { minLength: 1, maxLength: 255, examples: ['gardening'] }),
      target: text('Name of the topic that stays', { minLength: 1, maxLength: 255, examples: ['garden'] }),
    },
    async adapt({ db }, { source, target }) {
      const [from, to] = [await topicByName(db, String(source)), await topicByName(db, String(target))]
      if (!from) throw invalid({ source: ['is not the name of a topic'] })
      if (!to) throw invalid({ target: ['is not the name of a topic'] })
      return { source_topic_id: from.id, target_topic_id: to.id }
    },
  },
  fields: () => [
    { name: 'source', label: 'Topic that goes', hint: 'Its projects get the other one.', autofocus: true },
    { name: 'target', label: 'Topic that stays', hint: '' },
  ],
  next: () => '/admin/topics',
  notice: 'The topics are one.',
  button: 'Merge',
  cancel: () => '/admin/topics',
  frame: ctx => ({ title: 'Merge two topics', place: adminPlace('topics', ctx) }),
})
export const topicMerging = { showMerge: merging.show, merge: merging.submit }
