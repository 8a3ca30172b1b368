CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_ref" uuid,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text,
	"stage" text NOT NULL,
	"verdict" text NOT NULL,
	"checked_at" timestamp(3) with time zone,
	"model" text,
	"record_id" uuid,
	"field" text,
	"changed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_attached" CHECK (("files"."stage" <> 'attached') or ("files"."record_id" is not null))
);

CREATE INDEX "files_record_index" ON "files" USING btree ("record_id") WHERE "files"."record_id" is not null;

CREATE INDEX "files_waiting_index" ON "files" USING btree ("owner_ref") WHERE "files"."stage" in ('uploading', 'staged');

CREATE INDEX "files_due_index" ON "files" USING btree ("changed_at") WHERE "files"."stage" <> 'attached';

CREATE INDEX "files_verdict_index" ON "files" USING btree ("checked_at") WHERE "files"."verdict" in ('unchecked', 'infected');
