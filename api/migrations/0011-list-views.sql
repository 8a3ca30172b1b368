CREATE TABLE "list_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sub" text NOT NULL,
	"model" text NOT NULL,
	"columns" text[],
	"page_size" integer,
	"density" text NOT NULL,
	"used_on" date DEFAULT now() NOT NULL
);

CREATE UNIQUE INDEX "list_views_owner_unique" ON "list_views" USING btree ("sub","model");

CREATE INDEX "list_views_used_on_index" ON "list_views" USING btree ("used_on");
