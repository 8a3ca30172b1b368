import { setTimeout } from 'node:timers/promises'
import { inDatabase, createTicket, type UpgradeEnvironment } from './install-upgrade.ts'

/** Empties a table; ops/backup/restore.sh restores the second before, and the site recovers by itself. */
export async function checkRestore(scene: UpgradeEnvironment) {
  const { machine, ask, token } = scene
  const { path, subject } = await createTicket(scene, 'before the drop')
  // An undeclared table would make the replicas not ready.
  const count = inDatabase('select count(*) from tickets, (select count(*) from list_views) views')
  const moment = (await machine.ask(inDatabase('select clock_timestamp()'))).text
  const before = (await machine.ask(count)).text
  await setTimeout(1_500)
  await machine.ask(inDatabase('drop table list_views'))
  await machine.ask(inDatabase('delete from tickets'))

  const restore = '/opt/gatehouse/current/ops/backup/restore.sh'
  const unsaid = await machine.run(restore, {})
  const { code, text, seconds } = await machine.run(`${restore} '${moment}'`, {})
  const after = (await machine.ask(count)).text
  const there = await ask(path, { headers: { authorization: `Bearer ${await token()}` } })
  return {
    facts: [`restored to ${moment} in ${seconds} s, ${after} tickets`],
    problems: [
      ...(unsaid.code === 1 ? [] : ['a restore without a moment is not refused']),
      ...(code === 0 ? [] : [`the restore failed: ${text}`]),
      ...(before !== '' && after === before ? [] : [`${before} tickets before, ${after} after`]),
      ...(there.text.includes(subject)
        ? []
        : [`the site does not serve the restored ticket: ${there.text}`]),
    ],
  }
}
