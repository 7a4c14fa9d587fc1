//! The demo shows what the README says it shows.

use std::process::Command;

#[test]
fn the_demo_shows_an_order_and_four_things_that_do_not_happen() {
    let output = Command::new(env!("CARGO_BIN_EXE_holm-demo"))
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");

    let stages: Vec<&str> = shown.split("\n$ ").collect();
    let [_, check, order, other_path, other_host, nobody] = stages.as_slice() else {
        panic!("{shown}");
    };
    assert!(
        check.contains("tool market_order (network)") && check.contains("(exit 0)"),
        "{shown}"
    );
    assert!(
        order
            .contains("the broker got: POST /api/v0/orders HTTP/1.1 with the key \"a-secret-key\"")
            && order.contains("result: order-1\nstdout: status 200\n")
            && order.contains("(exit 0)"),
        "{shown}"
    );
    for refused in [other_path, other_host] {
        assert!(
            refused.contains("result: error: sandbox violation: http request blocked: URL not in allowlist: http://")
                && refused.contains("hint: ")
                && refused.contains("(exit 1)"),
            "{shown}"
        );
    }
    assert!(
        nobody.contains("Permission denied: permission denied\n") && nobody.contains("(exit 3)"),
        "{shown}"
    );
    assert_eq!(shown.matches("the broker got").count(), 1, "{shown}");
    assert_eq!(shown.matches("a-secret-key").count(), 1, "{shown}");
}
