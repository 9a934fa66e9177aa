import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHref, useNavigate, useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { watchKindNames } from '../../../../contract/watch/rule-kinds.ts'
import type { WatchRule } from '../../../../contract/watch/rules.ts'
import { isUnknown } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { channelsQuery } from '../../../api/watch/channels.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { deleteRule, ruleQuery, saveRule } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton, SkeletonRows } from '../../../components/skeleton.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { ConfirmButton, Outcome, useChange } from '../shared/acts.tsx'
import { NoneSuch, WatchFailed } from '../shared/failed.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { draftOf, dryRanges, factsOf, newDraft, ruleOf, type RuleDraft } from './draft.ts'
import { RuleFields } from './rule-form.tsx'
import { SilenceButton } from '../shared/silence-button.tsx'
import { Button, Form } from '../../../components/controls.tsx'

const DryRun = lazy(() => import('./dry-run.tsx'), 'DryRun')

const schema = z.object({
  kind: z.catch(z.enum(watchKindNames), watchKindNames[0] ?? 'notConnected'),
  fleet: z.catch(z.string().check(z.maxLength(64)), ''),
  member: z.catch(z.string().check(z.maxLength(64)), ''),
  range: z.catch(z.enum(dryRanges), '7'),
})

const newRule = 'new'

/** Requests the rule and what the form offers. */
export function loader({ params }: LoaderFunctionArgs): null {
  const ruleId = params['ruleId'] ?? ''
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(fleetsQuery())
  void queryClient.prefetchQuery(channelsQuery())
  if (ruleId !== newRule) void queryClient.prefetchQuery(ruleQuery(ruleId))
  return null
}

type EditorProps = { rule: WatchRule | undefined; start: RuleDraft }

function Editor({ rule, start }: EditorProps) {
  const [{ range }, setSearch] = useSearchState(schema)
  const [draft, setDraft] = useState(start)
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const fleets = useQuery(fleetsQuery()).data
  const link = useHref(
    rule
      ? paths.rule(rule.ruleId, { range })
      : paths.rule(newRule, { kind: draft.kind, fleet: draft.fleetId, range }),
  )
  const result = ruleOf(draft)
  const definition = 'rule' in result ? result.rule : undefined
  const wrong = 'wrong' in result ? result.wrong : {}
  const save = useChange((body: NonNullable<typeof definition>, signal) =>
    saveRule(rule?.ruleId, body, signal),
  )
  const done = (): void => {
    void navigate(draft.fleetId === '' ? paths.rules() : paths.fleet(draft.fleetId))
  }
  const network = fleets?.find(({ fleetId }) => fleetId === draft.fleetId)?.network
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <Form
        aria-label="Rule"
        className="flex min-w-0 flex-col gap-4"
        onSubmit={() => {
          if (definition) save.mutate(definition, { onSuccess: done })
        }}
      >
        <RuleFields draft={draft} wrong={wrong} onChange={setDraft} />
        <Outcome request={save} />
        {mayWrite && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" className="border-accent text-accent" disabled={save.isPending}>
              Save
            </Button>
            <Link to={draft.fleetId === '' ? paths.rules() : paths.fleet(draft.fleetId)} className="control">
              Cancel
            </Link>
            {rule && (
              <>
                <SilenceButton what={safeText(rule.name)} target={{ ruleId: rule.ruleId }} />
                <ConfirmButton
                  label="Delete"
                  className="control"
                  title={`Delete ${safeText(rule.name)}`}
                  run={(signal) => deleteRule(rule.ruleId, signal)}
                  gone={rule.ruleId}
                  onDone={done}
                >
                  <p>Its open alarms are closed without a message and stay in the history.</p>
                </ConfirmButton>
              </>
            )}
          </div>
        )}
      </Form>
      <Section title="Dry run" note="over the stored rounds, before anything is saved">
        <LazyPart title="The dry run" fallback={<Skeleton height={370} />}>
          <DryRun
            rule={definition}
            network={network}
            range={range}
            onRange={(next) => setSearch({ range: next })}
            link={link}
          />
        </LazyPart>
      </Section>
    </div>
  )
}

function NewRule() {
  const [{ kind, fleet, member }] = useSearchState(schema)
  const known = watchKindNames.find((each) => each === kind)
  const start = newDraft({ ...(known !== undefined && { kind: known }), fleetId: fleet, memberId: member })
  return <Editor key={`${kind} ${fleet} ${member}`} rule={undefined} start={start} />
}

function KnownRule({ ruleId }: { ruleId: string }) {
  const { data, error, isPending, refetch } = useQuery(ruleQuery(ruleId))
  if (isPending) return <SkeletonRows count={14} />
  if (isUnknown(error)) return <NoneSuch what="rule" all={paths.rules()} />
  if (!data) return <WatchFailed title="The rule could not be loaded." error={error} onRetry={refetch} />
  return <Editor key={data.ruleId} rule={data} start={draftOf(data)} />
}

/** A rule: its fields, and when it would have fired. */
export function Component() {
  const { ruleId = '' } = useParams()
  const isNew = ruleId === newRule
  const { data } = useQuery({ ...ruleQuery(ruleId), enabled: false })
  const name = isNew ? 'New rule' : safeText(data?.name ?? 'Rule')
  return (
    <>
      <PageTitle
        document={titleOf('rule', { ruleId: data ? name : '' })}
        heading={name}
        beside={data && <span className="text-muted">{factsOf(data.kind).title}</span>}
      />
      <WatchSections>{isNew ? <NewRule /> : <KnownRule ruleId={ruleId} />}</WatchSections>
    </>
  )
}
