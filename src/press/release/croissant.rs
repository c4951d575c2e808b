//! Writes `croissant.json`: the data set in the words of Croissant 1.1 with its vocabulary for responsible AI, as
//! JSON-LD.
//!
//! Source: the specifications of MLCommons, <https://docs.mlcommons.org/croissant/>.

use serde_json::{Value, json};

use crate::release::data::{Config, Feature, Release, Released, Sum};
use sudoku_corpus_store::corpus::PROGRAM_VERSION;

/// The words of Croissant 1.1, as `mlcroissant` expects them.
fn context() -> Value {
    json!({
        "@language": "en", "@vocab": "https://schema.org/", "arrayShape": "cr:arrayShape", "citeAs": "cr:citeAs", "column": "cr:column",
        "conformsTo": "dct:conformsTo", "containedIn": "cr:containedIn", "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
        "description": {"@container": "@language"}, "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
        "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
        "includes": "cr:includes", "isArray": "cr:isArray", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
        "key": "cr:key", "md5": "cr:md5", "name": {"@container": "@language"}, "parentField": "cr:parentField", "path": "cr:path",
        "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
        "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/", "separator": "cr:separator",
        "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
    })
}

/// The text of the file. `files` are the files of the release, with their checksums. Only Parquet files are described.
pub(crate) fn text(request: &Release, released: &Released, split: &str, configs: &[Config], files: &[Sum]) -> String {
    let objects = files.iter().filter(|file| file.name.ends_with(".parquet")).map(file_object);
    let description = format!(
        "{} Sudoku puzzles with their solutions, ratings and provenance, checked by exhaustive search. Splits: {split}",
        released.rows()
    );
    let mut document = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": request.title,
        "description": description,
        "license": released.license.link(),
        "creator": {"@type": "sc:Organization", "name": request.author()},
        "version": PROGRAM_VERSION,
        "citeAs": "See CITATION.cff.",
        "isLiveDataset": false,
        "keywords": ["Sudoku", "puzzles", "reasoning", "synthetic data"],
        "distribution": objects.collect::<Vec<Value>>(),
        "recordSet": record_sets(configs, files),
    });
    for (name, value) in responsible_use(split) {
        document[format!("rai:{name}")] = value;
    }
    if let Some(date) = request.date {
        document["datePublished"] = json!(date.to_string());
    }
    format!("{document:#}\n")
}

fn file_object(file: &Sum) -> Value {
    json!({
        "@type": "cr:FileObject", "@id": file.name, "name": file.name, "contentUrl": file.name, "sha256": file.sha256,
        "contentSize": format!("{} B", file.bytes), "encodingFormat": "application/x-parquet",
    })
}

/// One set of records for each file: mlcroissant does not read the rows of several Parquet files as one set.
fn record_sets(configs: &[Config], files: &[Sum]) -> Vec<Value> {
    let mut sets = Vec::new();
    for config in configs {
        for file in files.iter().filter(|file| file.name.split('/').next() == Some(config.name)) {
            let fields: Vec<Value> = config.features.iter().map(|feature| field(&file.name, feature)).collect();
            let name = file.name.trim_end_matches(".parquet");
            sets.push(json!({"@type": "cr:RecordSet", "@id": name, "name": name, "description": config.about, "field": fields}));
        }
    }
    sets
}

/// The vocabulary for responsible AI: where the data come from, and what they are good for.
fn responsible_use(split: &str) -> [(&'static str, Value); 11] {
    [
        (
            "dataCollection",
            json!(format!(
                "The puzzles are synthetic. sudoku-corpus {PROGRAM_VERSION} made them from the recipe in recipe.toml."
            )),
        ),
        ("dataCollectionType", json!(["Software Collection"])),
        (
            "dataPreprocessingProtocol",
            json!([
                "Puzzles without exactly one solution, and isomorphs of earlier puzzles, were left out, except in the split of probes.",
                split,
            ]),
        ),
        (
            "dataAnnotationProtocol",
            json!(
                "Ratings and steps are computed by programs: HoDoKu's ladder and scores, and the ratings and hints of \
                Sudoku Explainer 1.2.1. No person annotated a puzzle."
            ),
        ),
        ("machineAnnotationTools", json!([format!("sudoku-corpus {PROGRAM_VERSION}")])),
        (
            "dataBiases",
            json!([
                "A set with equally many puzzles of each rating does not have the frequencies of random puzzles.",
                "Minimal puzzles from digging have fewer givens than a fair sample of minimal puzzles.",
            ]),
        ),
        (
            "dataLimitations",
            json!([
                "Ratings describe techniques, not the time that people or models take.",
                "ER changes for some puzzles when they are relabeled; se_exact is false for lower bounds.",
            ]),
        ),
        (
            "dataUseCases",
            json!(["Training, validation and testing of models that reason; measuring leaks and robustness."]),
        ),
        ("dataSocialImpact", json!("No effect on people is known: the data are puzzles.")),
        ("personalSensitiveInformation", json!(["None: no data come from people."])),
        (
            "dataReleaseMaintenancePlan",
            json!("The same recipe and program version make the same bytes; checksums identify a release."),
        ),
    ]
}

/// A column of a file, by its name and its type on the card.
fn field(file: &str, Feature { name, kind, about }: &Feature) -> Value {
    let (outer, inner) = kind.split_once(": ").unwrap_or(("", kind));
    let data_type = match inner {
        "bool" => "sc:Boolean",
        "string" => "sc:Text",
        "float64" => "sc:Float",
        _ => "sc:Integer",
    };
    let mut field = json!({
        "@type": "cr:Field", "@id": format!("{}/{name}", file.trim_end_matches(".parquet")), "name": name, "dataType": data_type,
        "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
    });
    if !about.is_empty() {
        field["description"] = json!(about);
    }
    if outer == "list" {
        field["isArray"] = json!(true);
        field["arrayShape"] = json!("-1");
    }
    field
}
