/** Texts inside the illustrations. */
export const illustrationMessages = {
  title: 'Floor plan of a gatehouse',
  description:
    'A route enters from the public internet, passes three gates between two towers, is watched from a watch room, and reaches mail, files, pipelines and backups inside the wall.',
  rooms: { mail: 'Mail', files: 'Files', pipelines: 'Pipelines', backups: 'Backups' },
  refused: 'Refused',
  outside: 'Public internet',
  inside: 'Inside',
}
