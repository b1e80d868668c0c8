/** All mutations: the explicit list. */
import { idScalars } from '../reading/ids.ts'
import { deliveryMutations } from './code/delivery.ts'
import { releaseMutations, releaseTypes } from './code/releases.ts'
import { codeMutations, codeTypes } from './code/repository.ts'
import { snippetMutations, snippetTypes } from './code/snippets.ts'
import { boardMutations } from './items/boards.ts'
import { epicMutations, epicTypes } from './items/epics.ts'
import { issueMutations } from './items/issues.ts'
import { labelMutations } from './items/labels.ts'
import { mergeRequestMutations } from './items/merge_requests.ts'
import { noteMutations } from './items/notes.ts'
import { todoMutations } from './items/todos.ts'
import { type Mutations, mutationPart } from './mutation.ts'

/** Mutations by name. */
export const mutations: Mutations = {
  ...issueMutations,
  ...mergeRequestMutations,
  ...noteMutations,
  ...todoMutations,
  ...labelMutations,
  ...codeMutations,
  ...boardMutations,
  ...releaseMutations,
  ...snippetMutations,
  ...deliveryMutations,
  ...epicMutations,
}

/** Types that several inputs share. */
const sharedTypes = `
  ${idScalars}
  "Day represented in ISO 8601: \`2021-06-01\`"
  scalar ISO8601Date
  "How a list changes"
  enum MutationOperationMode {
    "It is replaced" REPLACE
    "What is named is added" APPEND
    "What is named is taken away" REMOVE
  }
  "Health of an issue"
  enum HealthStatus {
    "On track" onTrack
    "Needs attention" needsAttention
    "At risk" atRisk
  }
  "What happens to the state of an issue"
  enum IssueStateEvent {
    "It is reopened" REOPEN
    "It is closed" CLOSE
  }
  "New state of a merge request"
  enum MergeRequestNewState {
    "It is reopened" OPEN
    "It is closed" CLOSED
  }
  "How a merge request is merged"
  enum MergeStrategyEnum {
    "When its pipeline succeeds" MERGE_WHEN_PIPELINE_SUCCEEDS
  }
  "Paths of a file before and after a change"
  input DiffPathsInput {
    "Path before the change" oldPath: String
    "Path after the change" newPath: String
  }
  "A line of the changes of a merge request"
  input DiffPositionInput {
    "The newest commit" headSha: String!
    "Where the branches part" baseSha: String
    "What the changes are compared with" startSha: String!
    "Paths of the file" paths: DiffPathsInput!
    "Line after the change" newLine: Int
    "Line before the change" oldLine: Int
  }
  "A place of an image that a merge request changes"
  input DiffImagePositionInput {
    "The newest commit" headSha: String!
    "Where the branches part" baseSha: String
    "What the changes are compared with" startSha: String!
    "Paths of the file" paths: DiffPathsInput!
    "Horizontal place" x: Int!
    "Vertical place" y: Int!
    "Width of the image" width: Int!
    "Height of the image" height: Int!
  }
`

/** The part of the schema that changes things. */
export const mutationsPart = mutationPart(mutations, [sharedTypes, codeTypes, releaseTypes, snippetTypes, epicTypes].join('\n'))
