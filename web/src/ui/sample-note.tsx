/** The last line of a page whose content is a sample. */
export const SampleNote = ({ text }: { text: string }) => <p className="sample-note">{text}</p>
